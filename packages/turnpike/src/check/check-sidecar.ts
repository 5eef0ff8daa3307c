/** Checks sidecar documents: the documents of OpenAPI APIs and of MCP proxies. */
import {
  authModesOf,
  type ClassicDefinition,
  extensionOf,
  isForPrimitive,
  lintMcpDocument,
  lintOpenApiDocument,
  parseJson,
  readMcpRules,
  type SidecarKind,
  toClassic,
  toMcpClassic,
} from '@turnpike/core/definition'
import { isJson, type Json, memberOf } from '@turnpike/core/lib'
import type { Finding } from '../config/finding.ts'
import type { CheckedApi } from './checked-api.ts'
import { findingAt } from './finding-at.ts'
import type { CheckedFile } from './read-folder.ts'

/** The document in a text; `undefined` if it is not the JSON of an object, which is reported with the definition. */
export function documentIn(text: string | undefined): Json | undefined {
  const parsed = text === undefined ? undefined : parseJson(text)
  return parsed?.problem === undefined && isJson(parsed?.value) ? parsed.value : undefined
}

/** Checks the document of an API, and reports differences from the definition file, which is served. */
export async function checkDocument(
  { file, text }: CheckedFile,
  api: CheckedApi | undefined,
  vendor: string,
): Promise<Finding[]> {
  // An unreadable document is already reported with its definition.
  if (text === undefined) return []
  const kind = file.endsWith('-mcp.json') ? 'mcp' : 'oas'
  const lint = kind === 'mcp' ? lintMcpDocument : lintOpenApiDocument
  const findings = [...(await lint(text, vendor, file))]
  if (api === undefined || findings.some(({ severity }) => severity === 'error')) return findings
  if (kind === 'mcp') findings.push(...ignoredRules(text, api, vendor))
  const differing = differences(text, api, kind, vendor)
  if (differing.length === 0) return findings
  const resource = kind === 'mcp' ? 'mcps' : 'apis/oas'
  const values = { file: api.file, names: differing.join(', '), vendor, resource }
  return [...findings, findingAt({ file, text }, 'document-differs', [], values)]
}

/** Returns the guards in which the definition differs from one derived from the document, primitives aside. */
function differences(text: string, { definition }: CheckedApi, kind: SidecarKind, vendor: string): string[] {
  const document = documentIn(text)
  const extension = document && extensionOf(document, vendor)
  if (document === undefined || extension === undefined) return []
  const derived = kind === 'mcp' ? toMcpClassic(document, extension) : toClassic(document, extension)
  if (derived.problem !== undefined) return []
  const served = definition.document
  const modes = (classic: ClassicDefinition) => authModesOf(classic).join(' ')
  const lists = new Map(Object.entries(listsOf(served)))
  const differing = Object.entries(listsOf(derived.value))
    .filter(([list, rules]) => ordinary(rules) !== ordinary(lists.get(list)))
    .map(([list]) => list)
  return modes(derived.value) === modes(served) ? differing : ['authentication', ...differing]
}

/** Returns rules of tools, resources and prompts that only the definition file has, where they have no effect. */
function ignoredRules(text: string, api: CheckedApi, vendor: string): Finding[] {
  const document = documentIn(text) ?? {}
  const { value: rules } = readMcpRules(document, extensionOf(document, vendor) ?? {})
  const known = new Set(ruleNames(rules ?? {}))
  const ignored = ruleNames(listsOf(api.definition.document)).filter((name) => !known.has(name))
  if (ignored.length === 0) return []
  return [findingAt(api, 'mcp-rules-without-effect', ['version_data'], { names: ignored.join(', ') })]
}

/** The enabled rules for tools, resources and prompts, such as `blackList /mcp-tool:danger`. */
function ruleNames(lists: object): string[] {
  return Object.entries(lists).flatMap(([list, rules]) =>
    enabledRules(rules)
      .filter(isForPrimitive)
      .map((rule) => `${list} ${(rule as { path: string }).path}`),
  )
}

function listsOf({ versionData }: ClassicDefinition): object {
  return Object.values(versionData.versions ?? {})[0]?.extendedPaths ?? {}
}

/** The enabled rules for paths, in any order: the gateway sorts rules when it derives them. */
function ordinary(rules: unknown): string {
  const ofPaths = enabledRules(rules).filter((rule) => !isForPrimitive(rule))
  return ofPaths
    .map((rule) => JSON.stringify(rule))
    .sort()
    .join('\n')
}

function enabledRules(rules: unknown): unknown[] {
  const all: unknown[] = Array.isArray(rules) ? rules : []
  return all.filter((rule) => memberOf(rule, 'disabled') !== true)
}
