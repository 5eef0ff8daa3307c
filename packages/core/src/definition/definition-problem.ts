/** Problems that prevent the gateway from loading a definition. */
import { printJsonPath } from '../lib/shape/json-path.ts'
import type { JsonPath } from '../lib/shape/shape.ts'

/** Why a definition is invalid for serving. */
export interface ServingProblem {
  /** What is wrong, to be printed after the path: "must be a text, is a list". Contains no value that may be secret. */
  readonly message: string
  /** Path of the invalid value; empty: the document itself. */
  readonly path: JsonPath
}

export interface DefinitionProblem extends ServingProblem {
  /** Line and column of the value in the text, counted from 1. */
  readonly line: number
  readonly column: number
}

/** The problem in the format of compilers: `orders.json:12:7: proxy.listen_path must be a text, is a list`. */
export function printProblem(source: string, problem: DefinitionProblem): string {
  return `${source}:${problem.line}:${problem.column}: ${printJsonPath(problem.path)} ${problem.message}`
}
