/**
 * Support status of fields. A table lists every field of a kind of document, so that nothing is dropped in silence:
 * `check`, the start, the management API and docs/reference/support.md read the tables, and a test fails if a field is
 * missing from its table.
 */
import { parseDuration } from '../../lib/duration.ts'
import type { JsonPath, Problem } from '../../lib/shape/shape.ts'

/**
 * `partly`: see the reason. `refused`: requests that the feature would guard are rejected. `ignored`: the field is kept
 * and has no effect. `stored`: the same, and no gateway acts on the field, so that nothing is missing.
 */
export type SupportStatus = 'supported' | 'partly' | 'refused' | 'ignored' | 'stored'

export interface Support {
  readonly status: SupportStatus
  /** Why the field is not supported, or what is missing. Empty for supported fields. */
  readonly reason: string
  /** What to do instead. */
  readonly instead: string
  /** The feature guards or changes requests, so `check` reports an error. */
  readonly changesRequests: boolean
  /** Returns true if a value uses the feature. Default: the value is not empty. */
  readonly isUsedBy: (value: unknown) => boolean
}

/** Names joined by dots; `*` stands for the names of a map. Lists add no level. */
export type SupportTable = ReadonlyMap<string, Support>

/** A field of a document that the gateway does not support, or does not know. */
export interface Unsupported {
  readonly path: JsonPath
  readonly status: SupportStatus | 'unknown' | 'wrong-type'
  readonly reason: string
  readonly instead: string
  readonly changesRequests: boolean
}

const removeIt = 'remove it'
const supported: Support = {
  status: 'supported',
  reason: '',
  instead: removeIt,
  changesRequests: false,
  isUsedBy: isNotEmpty,
}

type Options = Partial<Pick<Support, 'changesRequests' | 'isUsedBy' | 'instead'>>

export function partly(reason: string): Support {
  return { ...supported, status: 'partly', reason }
}

export function refused(reason: string, options: Options = {}): Support {
  return { ...supported, status: 'refused', reason, changesRequests: true, ...options }
}

export function ignored(reason: string, options: Options = {}): Support {
  return { ...supported, status: 'ignored', reason, ...options }
}

export function stored(instead: string = removeIt): Support {
  return { ...supported, status: 'stored', reason: 'it is only stored and returned', instead }
}

/** What happens to a field, to be printed after its path and before `instead`. */
export function effectOf({ status, reason }: Pick<Unsupported, 'status' | 'reason'>): string {
  if (status === 'unknown' || status === 'wrong-type') return reason
  return status === 'refused' ? `is not supported, so requests are rejected: ${reason}` : `has no effect: ${reason}`
}

/** The fields of a readable document that its shape does not know, and parts of a wrong type that are kept. */
export function unknownFields(problems: readonly Problem[]): readonly Unsupported[] {
  return problems.flatMap((problem): readonly Unsupported[] => {
    const { kind, path, message, suggestion } = problem
    if (kind === 'type') return []
    if (kind === 'inner-type') {
      return [{ path, status: 'wrong-type', reason: message, instead: 'correct it', changesRequests: true }]
    }
    const instead = suggestion === undefined ? removeIt : `did you mean "${suggestion}"?`
    const reason = 'is not a known field and is ignored'
    return [{ path, status: 'unknown', reason, instead, changesRequests: false }]
  })
}

/** `supported`: names of supported fields, separated by blanks, by the path above them; `` for the top level. */
export function makeSupportTable(
  supportedNames: Readonly<Record<string, string>>,
  others: Readonly<Record<string, Support>>,
): SupportTable {
  const table = new Map<string, Support>(Object.entries(others))
  for (const [above, names] of Object.entries(supportedNames)) {
    for (const name of names.trim().split(/\s+/)) table.set(above === '' ? name : `${above}.${name}`, supported)
  }
  return table
}

/** The entries that are neither supported nor partly supported, with their paths split for a document. */
export interface UnsupportedRows {
  readonly rows: readonly {
    readonly names: readonly string[]
    readonly keys: readonly string[]
    readonly support: Support
  }[]
}

/** `camel`: documents have names in camel case, as shapes read them; the paths that are reported stay as written. */
export function unsupportedRows(table: SupportTable, camel: boolean): UnsupportedRows {
  const rows = [...table].flatMap(([path, support]) => {
    if (support.status === 'supported' || support.status === 'partly') return []
    const names = path.split('.')
    return [{ names, keys: camel ? names.map(camelCase) : names, support }]
  })
  return { rows }
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

export function joinRows(...all: readonly UnsupportedRows[]): UnsupportedRows {
  return { rows: all.flatMap(({ rows }) => rows) }
}

function camelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The unsupported fields that a document uses. */
export function findUnsupported({ rows }: UnsupportedRows, document: unknown): readonly Unsupported[] {
  const found: Unsupported[] = []
  for (const { names, keys, support } of rows) {
    const { status, reason, instead, changesRequests } = support
    const path = findUse(document, keys, names, support, [])
    if (path !== undefined) found.push({ path, status, reason, instead, changesRequests })
  }
  return found
}

/** Returns the path of the first value that uses the feature. */
function findUse(
  value: unknown,
  keys: readonly string[],
  names: readonly string[],
  support: Support,
  path: JsonPath,
): JsonPath | undefined {
  if (Array.isArray(value) && keys.length > 0) {
    for (const [i, entry] of value.entries()) {
      const found = findUse(entry, keys, names, support, [...path, i])
      if (found !== undefined) return found
    }
    return undefined
  }
  const [key, ...deeper] = keys
  if (key === undefined) return support.isUsedBy(value) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const own = value as Readonly<Record<string, unknown>>
  // Values that a shape keeps as they are written have the names of the document.
  const chosen = key === '*' ? Object.keys(own) : [key, names[0] as string].filter((name) => Object.hasOwn(own, name))
  for (const one of chosen) {
    const name = key === '*' ? one : (names[0] as string)
    const found = findUse(own[one], deeper, names.slice(1), support, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}

function isNotEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false
  return typeof value !== 'object' || Object.values(value).some(isNotEmpty)
}
