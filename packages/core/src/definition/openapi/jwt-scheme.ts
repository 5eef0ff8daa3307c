/** The settings of the JWT scheme that the security requirements of a document name. */

import { isOn, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { modeOfScheme } from '../auth-modes/auth-modes.ts'
import { extensionOf } from './extension.ts'
import { deref } from './operations.ts'
import { requiredSchemes } from './security-groups.ts'

/** The settings in the extension; `undefined`: the document requires no JWT. The last scheme applies to all. */
function jwtSchemeOf(document: Json, extension: Json): Json | undefined {
  const authentication = memberOf(extension, 'server', 'authentication')
  let found: Json | undefined
  for (const name of requiredSchemes(document, authentication)) {
    const scheme = deref(document, memberOf(document, 'components', 'securitySchemes', name))
    const own = memberOf(authentication, 'securitySchemes', name)
    if (scheme !== undefined && isOn(own) && modeOfScheme(scheme, objectOf(own)).name === 'jwt') found = objectOf(own)
  }
  return found
}

/** The settings in the document of an API; `undefined`: it has no document, or requires no JWT. */
export function jwtSchemeIn(document: Json | undefined, vendor: string): Json | undefined {
  const extension = document === undefined ? undefined : extensionOf(document, vendor)
  return document === undefined || extension === undefined ? undefined : jwtSchemeOf(document, extension)
}
