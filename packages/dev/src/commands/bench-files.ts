/** Checks the files that `turnpike bench` writes, before it measures for a minute. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isBenchResult } from '../bench/read-report.ts'

/** Says why the file cannot be written; `undefined` if it can. */
export function findOutputProblem(file: string): string | undefined {
  if (existsSync(file) && statSync(file).isDirectory()) return 'is a folder: name a file in it'
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK)
  } catch (cause) {
    return `cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`
  }
  return undefined
}

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
