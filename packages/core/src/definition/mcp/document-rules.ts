/**
 * The rules of tools, resources and prompts. They are in the document of an MCP proxy only, and every load takes them
 * from there, so that a pair of files made elsewhere keeps them. Source: docs/reference/mcp-proxies.md#mcp-files.
 */
import { isOn, type Json, listOf, memberOf, objectOf } from '../../lib/json.ts'
import type { PathRules } from '../api-definition.ts'
import { operationsOf } from '../openapi/operations.ts'
import { ruleParts } from '../openapi/to-classic/path-lists.ts'
import { readClassicFields } from '../openapi/to-classic/to-classic.ts'
import { pathRulesOf } from '../version-path-rules.ts'
import { methodOfRule } from './method-rules.ts'
import { type PrimitiveKind, primitiveOfPath, primitivePath } from './primitive.ts'

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
  // Plugins cannot run, so calls are rejected.
  'postPlugins',
]

export type McpRules =
  | { readonly value: PathRules; readonly problem: undefined }
  | { readonly value?: undefined; readonly problem: string }

/** The rules of a document; `problem`: a member has an invalid type. */
export function readMcpRules(document: Json, extension: Json): McpRules {
  const lists = primitiveLists(objectOf(extension['middleware']))
  // `internal` prevents clients from requesting the path of a primitive or of a method directly.
  const methods = operationsOf(document).filter((operation) => methodOfRule(operation) !== undefined)
  const internal = [...listOf(lists['internal']), ...methods.map(({ path, method }) => ({ path, method }))]
  const version = { name: 'Default', use_extended_paths: true, extended_paths: { ...lists, internal } }
  const read = readClassicFields({ version_data: { versions: { Default: version } } })
  if (read.problem !== undefined) return read
  const { Default: made } = read.value.versionData.versions ?? {}
  return made === undefined ? { problem: 'the rules cannot be read' } : { value: pathRulesOf(made), problem: undefined }
}

/** Adds the rules of the document to those of a version, whose own rules for primitives do not count. */
export function withMcpRules(paths: PathRules, rules: PathRules): PathRules {
  const merged: Record<string, readonly unknown[]> = {}
  for (const [name, ofVersion] of Object.entries(paths)) {
    const ofDocument = rules[name as keyof PathRules]
    const ordinary = ofVersion.filter((rule) => !isForPrimitive(rule))
    merged[name] =
      ofDocument.length === 0 && ordinary.length === ofVersion.length ? ofVersion : [...ofDocument, ...ordinary]
  }
  return merged as unknown as PathRules
}

/** Whether a rule of a list is for a tool, a resource or a prompt. */
export function isForPrimitive(rule: unknown): boolean {
  const path = memberOf(rule, 'path')
  return typeof path === 'string' && primitiveOfPath(path) !== undefined
}

function primitiveLists(middleware: Json): Readonly<Record<string, readonly Json[]>> {
  const lists: Record<string, Json[]> = {}
  const add = (list: string, rule: Json) => {
    lists[list] ??= []
    lists[list].push(rule)
  }
  for (const [member, kind] of primitiveGroups) {
    for (const [name, primitive] of Object.entries(objectOf(middleware[member]))) {
      const rule = { path: primitivePath({ kind, name }), method: 'POST' }
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
