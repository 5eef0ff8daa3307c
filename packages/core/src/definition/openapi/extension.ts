/** The gateway's extension in an OpenAPI document. Source: docs/reference/openapi-extension.md. */

import { isJson, type Json } from '../../lib/json.ts'
import { vendorForms } from '../../lib/vendor.ts'

/** Name of the extension: `x-svc-api-gateway` with the default vendor word. */
export function extensionName(vendor: string): string {
  return `x-${vendorForms(vendor).lower}-api-gateway`
}

/** The extension of a document; `undefined`: it has none. */
export function extensionOf(document: Json, vendor: string): Json | undefined {
  const extension = document[extensionName(vendor)]
  return isJson(extension) ? extension : undefined
}

/** A copy of the document with the given extension, or without one. */
export function withExtension(document: Json, vendor: string, extension: Json | undefined): Json {
  const { [extensionName(vendor)]: _, ...plain } = document
  return extension === undefined ? plain : { ...plain, [extensionName(vendor)]: extension }
}

/** The vendor word of another gateway's extension in the document, such as `tyk` for `x-tyk-api-gateway`. */
export function otherExtensionOf(document: Json, vendor: string): string | undefined {
  const own = extensionName(vendor)
  const names = Object.keys(document).filter((name) => name !== own)
  return names.flatMap((name) => /^x-([a-z][a-z0-9]*)-api-gateway$/.exec(name)?.[1] ?? [])[0]
}
