/**
 * Converts the document of an MCP proxy to a classic definition. The rules of tools, resources and prompts stay in the
 * document (`document-rules.ts`). Settings that MCP proxies do not support are dropped.
 * Source: docs/reference/mcp-proxies.md#mcp-document-checks.
 */
import { type Json, objectOf } from '../../lib/json.ts'
import { classicFields, readClassicFields, type ToClassic } from '../openapi/to-classic/to-classic.ts'
import { readMcpRules } from './document-rules.ts'

/** Converts a document. `problem`: a member has an invalid type, also in a rule that stays in the document. */
export function toMcpClassic(document: Json, extension: Json): ToClassic {
  const { problem } = readMcpRules(document, extension)
  if (problem !== undefined) return { problem }
  return readClassicFields({
    ...classicFields(document, withoutUnsupportedParts(extension)),
    application_protocol: 'mcp',
    json_rpc_version: '2.0',
  })
}

/** Batch requests and the response cache do not work on JSON-RPC messages. */
function withoutUnsupportedParts(extension: Json): Json {
  const { batchProcessing: _batches, ...server } = objectOf(extension['server'])
  const { global, ...middleware } = objectOf(extension['middleware'])
  const { cache: _cache, ...globals } = objectOf(global)
  return { ...extension, server, middleware: { ...middleware, global: globals } }
}
