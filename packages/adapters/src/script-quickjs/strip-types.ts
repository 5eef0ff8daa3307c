/**
 * TypeScript files: the types are replaced by blanks, so that each place in the result is the same place in the user's
 * file. Syntax that generates code (`enum`, `namespace`, parameter properties) is rejected.
 */
import type { ScriptProblem, ScriptSource } from '@turnpike/core/lib'

export type PlainSource =
  | { readonly source: ScriptSource; readonly problem: undefined }
  | { readonly problem: ScriptProblem }

/** The source as the sandbox evaluates it. */
export async function plainSource(source: ScriptSource): Promise<PlainSource> {
  const { name, text } = source
  if (!name.endsWith('.ts')) return { source, problem: undefined }
  // Loaded at the first use: few gateways have TypeScript files, and the package is large.
  const { default: stripper } = await import('@swc/wasm-typescript')
  try {
    const { code } = stripper.transformSync(text, { mode: 'strip-only' })
    return { source: { name, text: code }, problem: undefined }
  } catch (problem) {
    return { problem: { source: name, message: describe(problem, name) } }
  }
}

/** The library throws objects or texts, depending on the kind of problem. */
function describe(problem: unknown, name: string): string {
  const { message, startLine, startColumn } = Object(problem) as Readonly<Record<string, unknown>>
  if (typeof message !== 'string') return `${name}: ${String(problem)}`
  if (typeof startLine !== 'number') return `${name}: ${message}`
  return `${name}:${startLine}:${Number(startColumn) + 1}: ${message}`
}
