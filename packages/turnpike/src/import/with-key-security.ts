/** Lets a document require an API key in place of the security that it had. */
import { requiredSchemes } from '@turnpike/core/definition'
import { isJson, type Json, listOf, memberOf, objectOf } from '@turnpike/core/lib'

/** Name of the security scheme that is added. */
const schemeName = 'gatewayKey'

/** Returns the document if its security is one API key; otherwise one that requires a key in `Authorization`. */
export function withKeySecurity(document: Json): Json {
  if (ownKeyScheme(document) !== undefined) return document
  const components = objectOf(document['components'])
  const scheme = { type: 'apiKey', in: 'header', name: 'Authorization', description: 'A key of the gateway' }
  return {
    ...document,
    components: {
      ...components,
      securitySchemes: { ...objectOf(components['securitySchemes']), [schemeName]: scheme },
    },
    security: [{ [schemeName]: [] }],
  }
}

/** Returns the scheme if the document requires exactly one API key. */
function ownKeyScheme(document: Json): Json | undefined {
  const names = requiredSchemes(document, {})
  const scheme = memberOf(document, 'components', 'securitySchemes', names[0] ?? '')
  const isOnly = names.length === 1 && listOf(document['security']).length === 1
  return isOnly && isJson(scheme) && scheme['type'] === 'apiKey' ? scheme : undefined
}

/** Where a document that requires a key expects it. */
export function keyPlaceOf(document: Json): { readonly in: string; readonly name: string } {
  const scheme = ownKeyScheme(document)
  return { in: String(scheme?.['in'] ?? 'header'), name: String(scheme?.['name'] ?? 'Authorization') }
}
