/** The values in the text of a file: JSON, with a text behind it, or one or several YAML documents. */
import { parseFirstJson } from '@turnpike/core/definition'
import { nestsDeeperThan } from '@turnpike/core/lib'
import { yamlToJson } from '@turnpike/core/lib/yaml'

export type ValuesOfText =
  | { readonly values: readonly unknown[]; readonly problem?: undefined }
  /** `line:column message` */
  | { readonly values?: undefined; readonly problem: string }

/** Readers of formats recurse through the values. */
const maxDepth = 1000

/** Files with another name than `.yaml` and `.yml` are read as JSON first. */
export function valuesOfText(text: string, name: string): ValuesOfText {
  if (!/\.ya?ml$/i.test(name)) {
    if (nestsDeeperThan(text, maxDepth)) return tooDeep
    const parsed = parseFirstJson(text)
    if (parsed.problem === undefined) {
      return { values: (parsed.rest === undefined ? undefined : valuesOfLines(text)) ?? [parsed.value] }
    }
    const { line, column, message } = parsed.problem
    return { problem: `${line}:${column} ${message}` }
  }
  const { documents, problem } = yamlToJson(text)
  if (problem !== undefined) return { problem: `${problem.line}:${problem.column} ${problem.message}` }
  if (documents.some((json) => nestsDeeperThan(json, maxDepth))) return tooDeep
  return { values: documents.map((json): unknown => JSON.parse(json)).filter((value) => value !== null) }
}

/** One value in each line, as `mongoexport` writes them; `undefined`: a line is something else, such as a note. */
function valuesOfLines(text: string): readonly unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values: unknown[] = []
  for (const line of lines) {
    const read = parseFirstJson(line)
    if (read.problem !== undefined || read.rest !== undefined) return undefined
    values.push(read.value)
  }
  return values
}

const tooDeep: ValuesOfText = { problem: `1:1 nests deeper than ${maxDepth} levels` }
