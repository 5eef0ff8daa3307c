/**
 * Tools, resources and prompts of an MCP proxy, and their paths in the lists of a definition: `/mcp-tool:weather` in
 * `black_list` blocks the tool `weather`. Source: docs/reference/mcp-proxies.md#primitives.
 */
import type { ClassicDefinition } from '../classic.ts'
import { methodOfRule } from './method-rules.ts'

export type PrimitiveKind = 'tool' | 'resource' | 'prompt'

/** A tool, resource or prompt; the name of a resource is its URI. */
export interface Primitive {
  readonly kind: PrimitiveKind
  readonly name: string
}

export const primitiveKinds: readonly PrimitiveKind[] = ['tool', 'resource', 'prompt']

const pathStart = '/mcp-'

/** Whether the definition belongs to an MCP proxy. */
export function speaksMcp({ applicationProtocol }: Pick<ClassicDefinition, 'applicationProtocol'>): boolean {
  return applicationProtocol === 'mcp'
}

/** The path of a primitive in rules. */
export function primitivePath({ kind, name }: Primitive): string {
  return `${pathStart}${kind}:${name}`
}

/** The primitive of a path in a rule; `undefined`: it is an ordinary path. */
export function primitiveOfPath(path: string): Primitive | undefined {
  if (!path.startsWith(pathStart)) return undefined
  for (const kind of primitiveKinds) {
    const start = `${pathStart}${kind}:`
    if (path.startsWith(start)) return { kind, name: path.slice(start.length) }
  }
  return undefined
}

/** Returns which paths in rules of an API name a primitive, so that they need not be valid patterns. */
export function primitivePathTest(document: Pick<ClassicDefinition, 'applicationProtocol'>): (path: string) => boolean {
  return speaksMcp(document) ? (path) => primitiveOfPath(path) !== undefined : () => false
}

/** The rules for ordinary paths: all rules, unless the API is an MCP proxy. */
export function ordinaryRules<R extends { readonly path: string; readonly method: string }>(
  rules: readonly R[],
  document: Pick<ClassicDefinition, 'applicationProtocol'>,
): readonly R[] {
  if (!speaksMcp(document)) return rules
  return rules.filter((rule) => primitiveOfPath(rule.path) === undefined && methodOfRule(rule) === undefined)
}
