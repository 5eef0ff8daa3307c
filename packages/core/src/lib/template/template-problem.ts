/**
 * What is wrong with a template, or went wrong in one. Inside of the interpreter a problem is thrown, since it ends
 * whatever nest of blocks it happens in; at its edge (`template.ts`) it becomes a value.
 */
import type { Place } from './ast.ts'

export interface TemplateProblem {
  /** `line 3, column 7: …` */
  readonly message: string
  /** Both counted from 1. */
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
