/**
 * Errors of parsing and rendering a template. The interpreter throws them, since they end all nested blocks;
 * `template.ts` converts them to values.
 */
import type { Place } from './ast.ts'

export interface TemplateProblem {
  /** `line 3, column 7: …` */
  readonly message: string
  /** Both start at 1. */
  readonly line: number
  readonly column: number
}

/** Ends the parsing or rendering of a template. Never leaves this folder. */
export class TemplateError extends Error {
  readonly at: Place | undefined
  constructor(message: string, at?: Place) {
    super(message)
    this.at = at
  }
}

export function problemAt(source: string, at: Place, reason: string): TemplateProblem {
  const before = source.slice(0, at)
  const line = before.split('\n').length
  const column = at - (before.lastIndexOf('\n') + 1) + 1
  return { message: `line ${line}, column ${column}: ${reason}`, line, column }
}
