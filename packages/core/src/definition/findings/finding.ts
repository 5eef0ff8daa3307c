/** What is reported about a file: the type of all findings, and how a place that checks something reports one. */

import { printJsonPath } from '../../lib/shape/json-path.ts'
import { locateJson } from '../../lib/shape/locate-json.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import type { FindingRule, Severity } from './finding-rule.ts'
import { type FindingId, findingRules } from './finding-rules.ts'

/** A finding before its line and column are looked up in the file. */
export interface Note {
  readonly id: FindingId
  readonly severity: Severity
  readonly path: JsonPath
  /** What is wrong, to be printed after the path. */
  readonly reason: string
  /** A suggestion how to fix the problem. */
  readonly fix?: string
  /** The field has no effect in this build. */
  readonly ineffective?: true
}

export interface Finding extends Omit<Note, 'path'> {
  /** File, `environment` or `command line`. */
  readonly source: string
  /** Counted from 1; absent if the finding has no position in a file. */
  readonly line?: number
  readonly column?: number
  /** Path of the field, such as `http_server_options.xff_depth`. Empty means the whole file. */
  readonly field: string
}

type NamesIn<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}` ? Name | NamesIn<Rest> : never
type NamesOf<Id extends FindingId> = NamesIn<`${(typeof findingRules)[Id]['text']} ${(typeof findingRules)[Id]['fix']}`>
/** The values of a finding, and the name that was probably intended. */
export type FindingValues<Id extends FindingId> = [NamesOf<Id>] extends [never]
  ? [values?: Readonly<Record<string, never>>, suggestion?: string]
  : [values: Readonly<Record<NamesOf<Id>, string | number>>, suggestion?: string]

type FilledIn = [values?: Readonly<Record<string, string | number>>, suggestion?: string]

/** Makes a finding of the table. A suggestion replaces its fix. */
export function makeNote<Id extends FindingId>(id: Id, path: JsonPath, ...rest: FindingValues<Id>): Note {
  const rule: FindingRule = findingRules[id]
  const [values = {}, suggestion] = rest as FilledIn
  const fix = suggestion === undefined ? fill(rule.fix, values) : `did you mean "${suggestion}"?`
  const note = { id, severity: rule.severity, path, reason: fill(rule.text, values) }
  return fix === '' ? note : { ...note, fix }
}

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/<(\w+)>/g, (whole, name: string) => String(values[name] ?? whole))
}

/** The reason and the fix in one line. */
export function noteText({ reason, fix }: Pick<Note, 'reason' | 'fix'>): string {
  return fix === undefined ? reason : `${reason}; ${fix}`
}

/** Reports a finding by its id. `values` replace the names in angle brackets of its text. */
export type Report = <Id extends FindingId>(id: Id, path: JsonPath, ...rest: FindingValues<Id>) => void

/** Collects findings about a text. `report` adds one with its place in the text. */
export function collectFindings(
  text: string,
  source: string,
): { readonly findings: Finding[]; readonly report: Report } {
  const findings: Finding[] = []
  const report: Report = (id, path, ...rest) => {
    findings.push(placeNote(makeNote(id, path, ...rest), source, text))
  }
  return { findings, report }
}

/** Looks up the place in the text; `undefined`: there is no text. */
export function placeNote({ path, ...note }: Note, source: string, text: string | undefined): Finding {
  const place = text === undefined ? {} : locateJson(text, path)
  return { ...note, source, ...place, field: path.length === 0 ? '' : printJsonPath(path) }
}

/** A finding about a whole file. */
export function fileFinding<Id extends FindingId>(id: Id, source: string, ...rest: FindingValues<Id>): Finding {
  return placeNote(makeNote(id, [], ...rest), source, undefined)
}

/** The order of findings in the text. */
export function byPlace(a: Finding, b: Finding): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}
