/** Reads files of any of the formats of this folder. */
import { readFileSync, statSync } from 'node:fs'
import { type Found, nothingFound } from './found.ts'
import type { SourcedValue } from './operator-resources.ts'
import { readValues } from './read-values.ts'
import { valuesOfText } from './values-of-text.ts'

/** Maximum bytes of a file, as for definitions. */
export const maxFileBytes = 16 * 1024 * 1024

export interface ReadFiles {
  readonly values: readonly SourcedValue[]
  readonly found: Found
}

/** Reads the files together. Files that cannot be read are in `leftOut`. */
export function readFiles(files: readonly string[]): ReadFiles {
  const found = nothingFound()
  const values = files.flatMap((source) => valuesOfFile(source, found))
  readValues(values, found)
  return { values, found }
}

function valuesOfFile(source: string, found: Found): SourcedValue[] {
  const leave = (reason: string): SourcedValue[] => {
    found.leftOut.push({ source, reason })
    return []
  }
  let text: string
  try {
    const { size } = statSync(source)
    if (size > maxFileBytes) return leave(`is ${size} bytes long; at most ${maxFileBytes} are read`)
    text = readFileSync(source, 'utf8').replace(/^\ufeff/, '')
  } catch (cause) {
    return leave(`cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (/\.ya?ml$/i.test(source) && /^\s*\{\{-?/m.test(text))
    return leave('is a template of Helm; render it first: helm template')
  const read = valuesOfText(text, source)
  if (read.problem !== undefined) return leave(read.problem)
  return read.values.map((value) => ({ value, source }))
}
