/**
 * From the document of an MCP proxy to the classic definition. Tools, resources and prompts become rules for the paths
 * that stand for them. What an MCP proxy does not know is accepted in documents and left out here.
 * Source: spec/oas-and-mcp.md 2, 2.1.
 */
import { isOn, type Json, memberOf, objectOf } from '../../lib/json.ts'
import { ruleParts } from '../openapi/to-classic/path-lists.ts'
import { classicFields, readClassicFields, type ToClassic } from '../openapi/to-classic/to-classic.ts'
import { type PrimitiveKind, primitivePath } from './primitive.ts'

/** Members of `middleware` that name primitives. */
export const primitiveGroups: readonly (readonly [member: string, kind: PrimitiveKind])[] = [
  ['mcpTools', 'tool'],
  ['mcpResources', 'resource'],
  ['mcpPrompts', 'prompt'],
]

/** What has an effect on a primitive. */
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

/** The classic form of an MCP proxy's document. */
export function toMcpClassic(document: Json, extension: Json): ToClassic {
  const fields = classicFields(document, withoutUnknownParts(extension))
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

/** Batches and caches are for requests, not for messages. */
function withoutUnknownParts(extension: Json): Json {
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
      // Its path is known, so that nobody reaches it from outside.
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
