/** The settings of the JWT scheme that the first security requirement of a document names. */

import { isOn, type Json, listOf, memberOf, objectOf } from '../../lib/json.ts'
import { extensionOf } from './extension.ts'
import { deref } from './operations.ts'

/** The settings in the extension; `undefined`: the document requires no JWT. */
function jwtSchemeOf(document: Json, extension: Json): Json | undefined {
  for (const name of Object.keys(objectOf(listOf(document['security'])[0]))) {
    const scheme = deref(document, memberOf(document, 'components', 'securitySchemes', name))
    const own = memberOf(extension, 'server', 'authentication', 'securitySchemes', name)
    if (scheme?.['type'] !== 'http' || scheme['scheme'] === 'basic' || !isOn(own)) continue
    return objectOf(own)
  }
  return undefined
}

/** The settings in the document of an API; `undefined`: it has no document, or requires no JWT. */
export function jwtSchemeIn(document: Json | undefined, vendor: string): Json | undefined {
  const extension = document === undefined ? undefined : extensionOf(document, vendor)
  return document === undefined || extension === undefined ? undefined : jwtSchemeOf(document, extension)
}
