/** Checks the files that `turnpike bench` writes, before it measures for a minute. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { isBenchResult } from '../bench/read-report.ts'
import { findOutputProblem } from '../measurement/output-file.ts'

/** A file for JSON may also replace an earlier result, but no other file, such as a definition. */
export function findJsonOutputProblem(file: string): string | undefined {
  const problem = findOutputProblem(file)
  if (problem !== undefined || !existsSync(file) || statSync(file).size === 0) return problem
  try {
    if (isBenchResult(JSON.parse(readFileSync(file, 'utf8')))) return undefined
  } catch {
    // A file that is not JSON is not an earlier result.
  }
  return 'exists and is not a result of turnpike bench: name another file'
}

export const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory()
