/**
 * Rules for JSON-RPC methods of an MCP proxy: the path rules of `POST /tools/call`, `POST /resources/read` and
 * `POST /prompts/get`. Source: docs/reference/mcp-proxies.md#method-rules.
 */

/** The methods that can have rules. Paths named like other methods are ordinary paths. */
const methods: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get'])

/** The JSON-RPC method that a path rule is for; `undefined`: it is not for a method. */
export function methodOfRule(rule: { readonly path: string; readonly method: string }): string | undefined {
  const name = rule.method === 'POST' && rule.path.startsWith('/') ? rule.path.slice(1) : ''
  return methods.has(name) ? name : undefined
}

/** Finds the rule for a method; `undefined`: there is none. */
export type FindMethodRule<T> = (method: string) => T | undefined

/** Compiles the rules for methods of a list; `null`: there are none. The first rule of a method counts. */
export function compileMethodRules<R extends { readonly path: string; readonly method: string }, T>(
  rules: readonly R[],
  make: (rule: R) => T | undefined,
): FindMethodRule<T> | null {
  const byMethod = new Map<string, T>()
  for (const rule of rules) {
    const method = methodOfRule(rule)
    const use = method === undefined || byMethod.has(method) ? undefined : make(rule)
    if (method !== undefined && use !== undefined) byMethod.set(method, use)
  }
  return byMethod.size === 0 ? null : (method) => byMethod.get(method)
}
