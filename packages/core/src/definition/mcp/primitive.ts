/**
 * Tools, resources and prompts of an MCP proxy, and the paths that stand for them in the lists of a definition:
 * `/mcp-tool:weather` in `black_list` closes the tool `weather`. Source: spec/oas-and-mcp.md 2.2.
 */
import type { ClassicDefinition } from '../classic.ts'

export type PrimitiveKind = 'tool' | 'resource' | 'prompt'

/** What a message asks for; `name` is a URI where it is a resource. */
export interface Primitive {
  readonly kind: PrimitiveKind
  readonly name: string
}

export const primitiveKinds: readonly PrimitiveKind[] = ['tool', 'resource', 'prompt']

const pathStart = '/mcp-'

/** Whether the definition is that of an MCP proxy. */
export function speaksMcp({ applicationProtocol }: Pick<ClassicDefinition, 'applicationProtocol'>): boolean {
  return applicationProtocol === 'mcp'
}

/** The path that stands for it in rules. */
export function primitivePath({ kind, name }: Primitive): string {
  return `${pathStart}${kind}:${name}`
}

/** What a path of a rule stands for; `undefined`: it is an ordinary path. */
export function primitiveOfPath(path: string): Primitive | undefined {
  if (!path.startsWith(pathStart)) return undefined
  for (const kind of primitiveKinds) {
    const start = `${pathStart}${kind}:`
    if (path.startsWith(start)) return { kind, name: path.slice(start.length) }
  }
  return undefined
}

/** The rules of a list that are about paths of requests; all of them where the API is no MCP proxy. */
export function ordinaryRules<R extends { readonly path: string }>(
  rules: readonly R[],
  document: Pick<ClassicDefinition, 'applicationProtocol'>,
): readonly R[] {
  return speaksMcp(document) ? rules.filter(({ path }) => primitiveOfPath(path) === undefined) : rules
}
