/** Documents of MCP proxies in bodies: JSON, checked. Source: docs/reference/mcp-proxies.md#mcp-document-checks. */
import { validateMcpDocument } from '@turnpike/core'
import { parseJson } from '../http/parse-json.ts'
import { type ReadDocument, readDocument } from '../oas/read-document.ts'
import type { Call } from '../operation.ts'

/** Parses the document of a body. Rejects YAML with the error of the schema. */
export function readMcpDocument(call: Call): Promise<ReadDocument> {
  return readDocument(call, async (document, text) => {
    const { vendor } = call.management.settings
    const wrong = await validateMcpDocument(document, vendor)
    // Reported at the position of the schema check: after extension and version, before everything else.
    if (text.trim() === '' || parseJson(text) !== undefined || isEarly(wrong)) return wrong
    return `invalid character '${text.trimStart()[0]}' looking for beginning of value`
  })
}

function isEarly(wrong: string | undefined): boolean {
  return /^(?:the payload should contain|schema not found|malformed version)/.test(wrong ?? '')
}
