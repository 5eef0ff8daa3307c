/** The JWT scheme of a document: the settings of the one that its first requirement asks for. */

import { isOn, type Json, listOf, memberOf, objectOf } from '../../lib/json.ts'
import { extensionOf } from './extension.ts'
import { deref } from './operations.ts'

/** Settings of the scheme in the extension; `undefined`: the document asks for no JWT. */
function jwtSchemeOf(document: Json, extension: Json): Json | undefined {
  for (const name of Object.keys(objectOf(listOf(document['security'])[0]))) {
    const scheme = deref(document, memberOf(document, 'components', 'securitySchemes', name))
    const own = memberOf(extension, 'server', 'authentication', 'securitySchemes', name)
    if (scheme?.['type'] !== 'http' || scheme['scheme'] === 'basic' || !isOn(own)) continue
    return objectOf(own)
  }
  return undefined
}

/** Settings of that scheme in the document of an API; `undefined` for a definition without one, too. */
export function jwtSchemeIn(document: Json | undefined, vendor: string): Json | undefined {
  const extension = document === undefined ? undefined : extensionOf(document, vendor)
  return document === undefined || extension === undefined ? undefined : jwtSchemeOf(document, extension)
}
