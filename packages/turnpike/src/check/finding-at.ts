/** Findings of `turnpike check` about a value in a file. */
import { type JsonPath, locateJson, nearestName, printJsonPath } from '@turnpike/core/lib'
import type { Finding, Severity } from '../config/finding.ts'

/** A file whose text could be read. */
export interface ReadFile {
  readonly file: string
  readonly text: string
}

/** A finding at the position of the value; if the file does not have the value, at that of the next one above it. */
export function findingAt(
  { file, text }: ReadFile,
  severity: Severity,
  path: JsonPath,
  reason: string,
  fix?: string,
): Finding {
  const place = {
    severity,
    source: file,
    ...locateJson(text, path),
    field: path.length === 0 ? '' : printJsonPath(path),
  }
  return fix === undefined ? { ...place, reason } : { ...place, reason, fix }
}

/** A suggestion for a misspelt name; `undefined` if no known name is similar. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const near = nearestName(name, known)
  return near === undefined ? undefined : `did you mean "${near}"?`
}
