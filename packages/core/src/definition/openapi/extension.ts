/** The vendor's part of an OpenAPI document. Source: spec/oas-and-mcp.md 1. */

import { isJson, type Json } from '../../lib/json.ts'
import { vendorForms } from '../../lib/vendor.ts'

/** Name of the extension: `x-svc-api-gateway`. */
export function extensionName(vendor: string): string {
  return `x-${vendorForms(vendor).lower}-api-gateway`
}

/** The extension of a document; `undefined`: it has none. */
export function extensionOf(document: Json, vendor: string): Json | undefined {
  const extension = document[extensionName(vendor)]
  return isJson(extension) ? extension : undefined
}

/** The document with another extension, or without one. */
export function withExtension(document: Json, vendor: string, extension: Json | undefined): Json {
  const { [extensionName(vendor)]: _, ...plain } = document
  return extension === undefined ? plain : { ...plain, [extensionName(vendor)]: extension }
}
