/** The JWT scheme of a document: the settings of the one that its first requirement asks for. */
import { isOn, type Json, listOf, memberOf, objectOf } from './json.ts'
import { deref } from './operations.ts'

/** Settings of the scheme in the extension; `undefined`: the document asks for no JWT. */
export function jwtSchemeOf(document: Json, extension: Json): Json | undefined {
  for (const name of Object.keys(objectOf(listOf(document['security'])[0]))) {
    const scheme = deref(document, memberOf(document, 'components', 'securitySchemes', name))
    const own = memberOf(extension, 'server', 'authentication', 'securitySchemes', name)
    if (scheme?.['type'] !== 'http' || scheme['scheme'] === 'basic' || !isOn(own)) continue
    return objectOf(own)
  }
  return undefined
}
