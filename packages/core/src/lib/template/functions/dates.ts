/** Dates and durations. The time of the process's zone is used unless the template names another zone. */
import type { Budget } from '../budget.ts'
import { type FunctionTable, fixed, textOf, wholeOf } from '../function-table.ts'
import { formatSeconds, parseGoDuration } from '../go-duration.ts'
import { Moment } from '../moment.ts'
import { parseTime } from '../parse-time.ts'
import type { Sources } from '../sources.ts'
import { TemplateError } from '../template-problem.ts'
import { formatTime } from '../time-layout.ts'
import { utc, type Zone, zoneOf } from '../time-zone.ts'
import { typeName } from '../value.ts'

/** Go's zero time, which failed conversions return. */
const zeroTime = -62_135_596_800_000

/** The zone of the process; UTC in most containers. */
const local = () => zoneOf('Local') ?? utc

/** Work of reading or formatting a time. */
const timeCost = 512
/** Work of the first use of a zone. */
const zoneCost = 16_384

/** The instant of a time or of Unix seconds. Any other value is the current time, as the library defines it. */
function instant(value: unknown, { now }: Sources): number {
  if (value instanceof Moment) return value.at
  return typeof value === 'bigint' ? Number(value) * 1000 : now()
}

function momentOf(value: unknown): Moment {
  if (value instanceof Moment) return value
  throw new TemplateError(`wrong type for value; expected a time; got ${typeName(value)}`)
}

function format(layout: string, value: unknown, zone: Zone, budget: Budget, sources: Sources): string {
  budget.spend(timeCost + layout.length * 8)
  return formatTime(layout, instant(value, sources), zone)
}

/** An unknown zone is UTC. */
function zoneNamed(value: unknown, budget: Budget): Zone {
  budget.spend(zoneCost)
  return zoneOf(textOf(value, budget)) ?? utc
}

const dateInZone = fixed(3, ([layout, value, zone], budget, sources) =>
  format(textOf(layout, budget), value, zoneNamed(zone, budget), budget, sources),
)

/** `strict`: an invalid text is an error instead of the zero time. */
const toDate = (strict: boolean) =>
  fixed(2, ([layout, given], budget) => {
    const [form, text] = [textOf(layout, budget), textOf(given, budget)]
    budget.spend(timeCost + (form.length + text.length) * 8)
    const parsed = parseTime(form, text)
    if (parsed !== undefined) return new Moment(parsed.at, parsed.zone)
    if (strict) throw new TemplateError(`cannot parse ${JSON.stringify(text)} as ${JSON.stringify(form)}`)
    return new Moment(zeroTime, utc)
  })

/** `strict`: an invalid duration is an error instead of no change. */
const dateModify = (strict: boolean) =>
  fixed(2, ([change, value], budget) => {
    const text = textOf(change, budget)
    const { at, zone } = momentOf(value)
    const nanos = parseGoDuration(text)
    if (nanos === undefined && strict) throw new TemplateError(`invalid duration ${JSON.stringify(text)}`)
    return new Moment(at + Math.round((nanos ?? 0) / 1e6), zone)
  })

const units = [
  ['y', 365 * 86_400e9],
  ['mo', 30 * 86_400e9],
  ['d', 86_400e9],
  ['h', 3600e9],
  ['m', 60e9],
  ['s', 1e9],
] as const

/** The most significant unit of a duration, of nanoseconds, or of the time since a moment. */
function durationRound(value: unknown, budget: Budget, { now }: Sources): string {
  let nanos = 0
  if (typeof value === 'string') nanos = parseGoDuration(textOf(value, budget)) ?? 0
  else if (typeof value === 'bigint') nanos = Number(value)
  else if (value instanceof Moment) nanos = (now() - value.at) * 1e6
  const size = Math.abs(nanos)
  const [name, length] = units.find(([, unit]) => size >= unit) ?? ['s', Number.POSITIVE_INFINITY]
  return `${nanos < 0 ? '-' : ''}${Math.floor(size / length)}${name}`
}

function seconds(value: unknown): bigint {
  return typeof value === 'string' && !/^[+-]?\d+$/.test(value) ? 0n : wholeOf(value)
}

const htmlLayout = '2006-01-02'

export const dateFunctions: FunctionTable = {
  now: fixed(0, (_args, _budget, { now }) => new Moment(now(), local())),
  ago: fixed(1, ([value], _, sources) =>
    formatSeconds(BigInt(Math.round((sources.now() - instant(value, sources)) / 1000))),
  ),
  date: fixed(2, ([layout, value], budget, sources) => format(textOf(layout, budget), value, local(), budget, sources)),
  dateInZone,
  date_in_zone: dateInZone,
  dateModify: dateModify(false),
  date_modify: dateModify(false),
  mustDateModify: dateModify(true),
  must_date_modify: dateModify(true),
  toDate: toDate(false),
  mustToDate: toDate(true),
  duration: fixed(1, ([value]) => formatSeconds(seconds(value))),
  durationRound: fixed(1, ([value], budget, sources) => durationRound(value, budget, sources)),
  htmlDate: fixed(1, ([value], budget, sources) => format(htmlLayout, value, local(), budget, sources)),
  htmlDateInZone: fixed(2, ([value, zone], budget, sources) =>
    format(htmlLayout, value, zoneNamed(zone, budget), budget, sources),
  ),
  unixEpoch: fixed(1, ([value]) => String(Math.floor(momentOf(value).at / 1000))),
}
