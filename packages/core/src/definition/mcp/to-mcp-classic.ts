/**
 * Converts the document of an MCP proxy to a classic definition. Tools, resources and prompts become path rules.
 * Settings that MCP proxies do not support are dropped. Source: docs/reference/mcp-proxies.md#mcp-document-checks.
 */
import { isOn, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { ruleParts } from '../openapi/to-classic/path-lists.ts'
import { classicFields, readClassicFields, type ToClassic } from '../openapi/to-classic/to-classic.ts'
import { type PrimitiveKind, primitivePath } from './primitive.ts'

/** Members of `middleware` with the rules of primitives. */
export const primitiveGroups: readonly (readonly [member: string, kind: PrimitiveKind])[] = [
  ['mcpTools', 'tool'],
  ['mcpResources', 'resource'],
  ['mcpPrompts', 'prompt'],
]

/** Members of a primitive that have an effect. */
export const effectiveParts: readonly string[] = [
  'allow',
  'block',
  'ignoreAuthentication',
  'transformRequestBody',
  'transformRequestHeaders',
  'enforceTimeout',
  'circuitBreaker',
  'requestSizeLimit',
  'rateLimit',
  'trackEndpoint',
  'doNotTrackEndpoint',
]

/** Converts a document. */
export function toMcpClassic(document: Json, extension: Json): ToClassic {
  const fields = classicFields(document, withoutUnsupportedParts(extension))
  const lists = primitiveLists(objectOf(extension['middleware']))
  const version = objectOf(memberOf(fields, 'version_data', 'versions', 'Default'))
  const paths: Record<string, unknown> = { ...objectOf(version['extended_paths']) }
  for (const [list, rules] of Object.entries(lists)) {
    const others = paths[list]
    paths[list] = Array.isArray(others) ? [...rules, ...others] : rules
  }
  return readClassicFields({
    ...fields,
    application_protocol: 'mcp',
    json_rpc_version: '2.0',
    version_data: {
      ...objectOf(fields['version_data']),
      versions: { Default: { ...version, extended_paths: paths } },
    },
  })
}

/** Batch requests and the response cache do not work on JSON-RPC messages. */
function withoutUnsupportedParts(extension: Json): Json {
  const { batchProcessing: _batches, ...server } = objectOf(extension['server'])
  const { global, ...middleware } = objectOf(extension['middleware'])
  const { cache: _cache, ...globals } = objectOf(global)
  return { ...extension, server, middleware: { ...middleware, global: globals } }
}

function primitiveLists(middleware: Json): Readonly<Record<string, Json[]>> {
  const lists: Record<string, Json[]> = {}
  const add = (list: string, rule: Json) => {
    lists[list] ??= []
    lists[list].push(rule)
  }
  for (const [member, kind] of primitiveGroups) {
    for (const [name, primitive] of Object.entries(objectOf(middleware[member]))) {
      const rule = { path: primitivePath({ kind, name }), method: 'POST' }
      // `internal` prevents clients from requesting the path of the primitive directly.
      add('internal', { ...rule, disabled: false })
      for (const part of effectiveParts) {
        const given = memberOf(primitive, part)
        const [list, fieldsOf] = ruleParts[part] ?? []
        if (given === undefined || list === undefined || fieldsOf === undefined) continue
        add(list, { ...rule, disabled: !isOn(given), ...fieldsOf(given) })
      }
    }
  }
  return lists
}
