/**
 * Support status of fields: supported, partly, rejected, ignored or stored. A field of a shape is supported unless a row of
 * the table for its kind of document names it. The tables are `definition-support.ts` and `session-support.ts` in this
 * folder, `openapi/openapi-support.ts`, and `config-support.ts` of the package turnpike.
 * `check`, the start, the management API and docs/reference/support.md read the tables, and a test fails if a row names
 * a field that does not exist.
 */
import { parseDuration } from '../../lib/duration.ts'
import type { JsonPath, Problem } from '../../lib/shape/shape.ts'
import type { SupportStatus, Unsupported } from '../api-definition.ts'
import { dashboardFields, unsupportedFields } from './foreign-fields.ts'

export interface Support {
  readonly status: SupportStatus
  /** Why the field is not supported, or what is missing. */
  readonly reason: string
  /** What to do instead. */
  readonly instead: string
  /** The feature guards or changes requests, so `check` reports an error. */
  readonly changesRequests: boolean
  /** Returns true if a value uses the feature. Default: the value is not empty. */
  readonly isUsedBy: (value: unknown) => boolean
}

/** The fields that are not fully supported. Names joined by dots; `*` matches any name of a map. Lists add no level. */
export type SupportTable = ReadonlyMap<string, Support>

const removeIt = 'remove it'
const byDefault = { instead: removeIt, changesRequests: false, isUsedBy: isNotEmpty }

type Options = Partial<Pick<Support, 'changesRequests' | 'isUsedBy' | 'instead'>>

export function partly(reason: string): Support {
  return { ...byDefault, status: 'partly', reason }
}

export function rejected(reason: string, options: Options = {}): Support {
  return { ...byDefault, status: 'rejected', reason, changesRequests: true, ...options }
}

export function ignored(reason: string, options: Options = {}): Support {
  return { ...byDefault, status: 'ignored', reason, ...options }
}

export function stored(instead: string = removeIt): Support {
  return { ...byDefault, status: 'stored', reason: 'it is only stored and returned', instead }
}

/** What happens to a field, to be printed after its path and before `instead`. */
export function effectOf({ status, reason }: Pick<Unsupported, 'status' | 'reason'>): string {
  if (status === 'unknown' || status === 'unused' || status === 'wrong-type') return reason
  return status === 'rejected' ? `is not supported, so requests are rejected: ${reason}` : `has no effect: ${reason}`
}

/** The fields of a readable document that its shape does not know, and parts of a wrong type that are kept. */
export function unknownFields(problems: readonly Problem[]): readonly Unsupported[] {
  return problems.flatMap((problem): readonly Unsupported[] => {
    const { kind, path, message, suggestion } = problem
    if (kind === 'type') return []
    if (kind === 'inner-type') {
      return [{ path, status: 'wrong-type', reason: message, instead: 'correct it', changesRequests: true }]
    }
    const reason = 'is not a known field and is ignored'
    const unused = { path, status: 'unused', reason, instead: removeIt, changesRequests: false } as const
    const name = String(path.at(-1))
    const unsupported = unsupportedFields.get(name)
    if (unsupported !== undefined) return [problem.isEmpty ? unused : { ...unsupported, path }]
    const instead =
      hints.get(name) ?? placeOf(path) ?? (suggestion === undefined ? undefined : `did you mean "${suggestion}"?`)
    // An empty value says nothing, unless its name is probably misspelt.
    const isNothing = problem.isEmpty && (instead === undefined || hints.has(name))
    if (dashboardFields.has(name) || isNothing) return [unused]
    return [{ ...unused, status: 'unknown', instead: instead ?? removeIt }]
  })
}

/** Fields of keys that people write into policies. */
const hints: ReadonlyMap<string, string> = new Map([
  ['expires', 'set key_expires_in of the policy, in seconds, or expires of each key'],
])

/** Where fields of definitions belong that people write at another level. */
const places: ReadonlyMap<string, string> = new Map([
  ['driver', 'into custom_middleware'],
  ['extended_paths', 'into a version: version_data.versions.NAME'],
  ['listen_path', 'into proxy'],
  ['response_processors', 'to the top level'],
  ['strip_listen_path', 'into proxy'],
  ['target_url', 'into proxy'],
])

function placeOf(path: JsonPath): string | undefined {
  const place = places.get(String(path.at(-1)))
  return place && `move it ${place}`
}

/** A feature that is not supported, not even partly. */
interface UnsupportedRow {
  /** The path of its field; `*` matches any name of a map. */
  readonly names: readonly string[]
  /** The same path with the names that documents have. */
  readonly keys: readonly string[]
  readonly support: Support
}

export type UnsupportedRows = readonly UnsupportedRow[]

/** `camel`: documents have names in camel case, as shapes read them; the paths that are reported stay as written. */
export function unsupportedRows(table: SupportTable, camel: boolean): UnsupportedRows {
  return [...table].flatMap(([path, support]) => {
    if (support.status === 'partly') return []
    const names = path.split('.')
    return [{ names, keys: camel ? names.map(camelCase) : names, support }]
  })
}

/**
 * Periods of rates below one second, at these paths. Every algorithm counts whole seconds, so such a rate limits nothing.
 * The tables do not list them, because the field itself has an effect.
 */
export function shortPeriodRows(paths: readonly string[], camel: boolean): UnsupportedRows {
  const support = ignored('rates count whole seconds, so a period below one second limits nothing', {
    isUsedBy: isShort,
    instead: 'set the requests of one second or more, such as rate 20 and per 1 for 10 in half a second',
  })
  return unsupportedRows(new Map(paths.map((path) => [path, support])), camel)
}

function isShort(period: unknown): boolean {
  const seconds = parseDuration(period) ?? 0
  return seconds > 0 && seconds < 1
}

function camelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The unsupported fields that a document uses. */
export function findUnsupported(rows: UnsupportedRows, document: unknown): readonly Unsupported[] {
  const found: Unsupported[] = []
  for (const row of rows) {
    const { status, reason, instead, changesRequests } = row.support
    const path = findUse(document, row, 0)
    if (path !== undefined) found.push({ path, status, reason, instead, changesRequests })
  }
  return found
}

/**
 * Returns the path from a value at a level of the row to the first value below it that uses the feature. The path is
 * made only if there is one, because a reload checks a hundred rows for each definition and finds next to nothing.
 */
function findUse(value: unknown, row: UnsupportedRow, level: number): JsonPath | undefined {
  const { names, keys, support } = row
  if (level === keys.length) return support.isUsedBy(value) ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return findFirst(value.entries(), row, level)
  const own = value as Readonly<Record<string, unknown>>
  const key = keys[level] as string
  const name = names[level] as string
  if (key === '*') return findFirst(Object.entries(own), row, level + 1)
  // Values that a shape keeps as they are written have the names of the document.
  const found =
    (Object.hasOwn(own, key) ? findUse(own[key], row, level + 1) : undefined) ??
    (key !== name && Object.hasOwn(own, name) ? findUse(own[name], row, level + 1) : undefined)
  return found === undefined ? undefined : [name, ...found]
}

function findFirst(
  entries: Iterable<readonly [number | string, unknown]>,
  row: UnsupportedRow,
  level: number,
): JsonPath | undefined {
  for (const [step, value] of entries) {
    const found = findUse(value, row, level)
    if (found !== undefined) return [step, ...found]
  }
  return undefined
}

function isNotEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false
  return typeof value !== 'object' || Object.values(value).some(isNotEmpty)
}
