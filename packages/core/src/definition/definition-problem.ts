/** Why a definition cannot be loaded, and where in its text. */
import { printJsonPath } from '../lib/shape/json-path.ts'
import type { JsonPath } from '../lib/shape/shape.ts'

/** Why an API cannot be served as its definition is written. */
export interface ServingProblem {
  /** What is wrong, as a sentence without its subject: "must be a text, is a list". Names no value that may be secret. */
  readonly message: string
  /** Empty: the document itself. */
  readonly path: JsonPath
}

export interface DefinitionProblem extends ServingProblem {
  /** From 1. */
  readonly line: number
  readonly column: number
}

/** The problem on one line, as compilers print it: `orders.json:12:7: proxy.listen_path must be a text, is a list`. */
export function printProblem(source: string, problem: DefinitionProblem): string {
  return `${source}:${problem.line}:${problem.column}: ${printJsonPath(problem.path)} ${problem.message}`
}
