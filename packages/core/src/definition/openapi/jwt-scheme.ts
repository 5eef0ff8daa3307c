/** The settings of the JWT scheme that the security requirements of a document name. */

import { type Json, memberOf } from '../../lib/json.ts'
import { extensionOf } from './extension.ts'
import { enabledScheme, requiredSchemes } from './security-groups.ts'

/**
 * The settings in the extension; `undefined`: the API has no document or extension, or requires no JWT. The last scheme
 * applies to all.
 */
export function jwtSchemeIn(document: Json | undefined, vendor: string): Json | undefined {
  const authentication = document && memberOf(extensionOf(document, vendor), 'server', 'authentication')
  if (document === undefined || authentication === undefined) return undefined
  const schemes = requiredSchemes(document, authentication).map((name) => enabledScheme(name, document, authentication))
  return schemes.findLast((scheme) => scheme?.mode.name === 'jwt')?.own
}
