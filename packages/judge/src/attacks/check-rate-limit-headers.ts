/** What the rate limit headers of a history say, compared with each other and with the limit. */

import type { HeaderFields } from '../http/raw-client.ts'
import type { RateLimit } from '../models/model.ts'
import type { Group, History, Statement } from '../trace/trace-and-history.ts'

export interface StatedLimit {
  readonly limit?: number
  readonly remaining?: number
  /** Seconds from the response until the limit renews, or more is left. */
  readonly resetSeconds?: number
  readonly windowSeconds?: number
}

/** Reads `RateLimit` and `RateLimit-Policy` of the IETF drafts, `RateLimit-*`, and `X-RateLimit-*`. */
export function statedLimit(headers: HeaderFields, answeredAt: number): StatedLimit {
  if (!Object.keys(headers).some((name) => name.includes('ratelimit') || name.includes('rate-limit'))) return {}
  const field = (...names: string[]) => names.map((name) => headers[name]).find((value) => value !== undefined)
  const limit = wholeNumber(field('x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-limit'))
  const remaining = wholeNumber(field('x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'))
  const reset = resetSeconds(field('x-ratelimit-reset', 'x-rate-limit-reset', 'ratelimit-reset'), answeredAt)
  const item = headers['ratelimit']
  const policy = headers['ratelimit-policy']
  const policyLimit = parameter(policy, 'q') ?? wholeNumber(policy?.split(';')[0])
  return defined({
    limit: limit ?? parameter(item, 'limit') ?? policyLimit,
    remaining: remaining ?? parameter(item, 'r') ?? parameter(item, 'remaining'),
    resetSeconds: reset ?? parameter(item, 't') ?? parameter(item, 'reset'),
    windowSeconds: parameter(policy, 'w'),
  })
}

function defined(stated: Record<keyof StatedLimit, number | undefined>): StatedLimit {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined))
}

function wholeNumber(text: string | undefined): number | undefined {
  const match = /^\s*(-?\d+)/.exec(text ?? '')
  return match === null ? undefined : Number(match[1])
}

/** A parameter of a structured field, such as `r` of `"default";r=50;t=30`, or a member of `limit=10, remaining=9`. */
function parameter(text: string | undefined, name: string): number | undefined {
  const match = new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)`, 'i').exec(text ?? '')
  return match === null ? undefined : Number(match[1])
}

/** `Reset` is in seconds from now, in seconds or milliseconds since the epoch, or a date. */
function resetSeconds(text: string | undefined, answeredAt: number): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text.trim())
  if (Number.isNaN(number)) {
    const date = Date.parse(text)
    return Number.isNaN(date) ? undefined : (date - answeredAt) / 1000
  }
  if (number > 1e11) return (number - answeredAt) / 1000
  return number > 1e9 ? number - answeredAt / 1000 : number
}

/** All contradictions in the headers of a history. `mistake` names the rule. */
export function headerStatements(history: History, limit: RateLimit): readonly Statement[] {
  const statements = new Map<string, Statement>()
  const add = (group: number, rule: string, text: string) => {
    if (!statements.has(rule)) statements.set(rule, { text, group, mistake: `headers: ${rule}` })
  }
  let run: Countdown | undefined
  history.groups.forEach((group, index) => {
    const [exchange] = group.exchanges
    const stated = exchange === undefined ? {} : statedLimit(exchange.headers, exchange.answeredAt)
    // A limit of 0 or -1 means that there is none, such as that of a quota which the client does not have.
    if (stated.limit !== undefined && stated.limit < 1) return
    if (stated.limit !== undefined && ![limit.count, limit.burst].includes(stated.limit))
      add(index, 'limit', `the headers state a limit of ${stated.limit}, documented is ${limit.count}`)
    compareTimes(stated, index, limit, add)
    const { remaining } = stated
    if (remaining === undefined || group.count !== 1) run = undefined
    else run = compareRemaining(remaining, { group, index, history }, limit, run, add)
  })
  return [...statements.values()]
}

type Add = (group: number, rule: string, text: string) => void

/** Admitted requests in a row, from the one with the highest Remaining on. */
interface Countdown {
  readonly first: number
  readonly startedAt: number
  readonly admitted: number
  readonly before: number
  readonly renewedAt: number
}

/** Compares Remaining with the request before. Returns the countdown that continues with this request. */
function compareRemaining(
  remaining: number,
  { group, index, history }: { readonly group: Group; readonly index: number; readonly history: History },
  limit: RateLimit,
  run: Countdown | undefined,
  add: Add,
): Countdown | undefined {
  const most = Math.max(limit.count, limit.burst ?? 0)
  if (remaining > most)
    add(index, 'remaining above limit', `Remaining is ${remaining}, documented is a limit of ${most}`)
  if (group.admitted === 0) {
    if (remaining > 0)
      add(index, 'remaining on rejection', `a request is rejected with ${remaining} requests remaining`)
    return undefined
  }
  const begun = {
    first: remaining,
    startedAt: group.sentAt,
    admitted: 0,
    before: remaining,
    renewedAt: group.sentAt,
  }
  // A limit that has just renewed states its highest value, at most once in a period.
  const hasRested = run !== undefined && group.sentAt - run.renewedAt > limit.periodMs / 4
  if (run === undefined || (remaining >= most - 1 && hasRested)) return begun
  const admitted = run.admitted + 1
  const evenly = Math.floor(((group.answeredAt - run.startedAt) * limit.count) / limit.periodMs) + 1
  const gained = Math.max(evenly, expiredIn(history, run.startedAt, group.answeredAt, limit.periodMs))
  const right = run.first - admitted
  const more = `${admitted} more admitted ${admitted === 1 ? 'request' : 'requests'}`
  if (right + gained < 0) add(index, 'remaining does not count down', `Remaining is ${run.first}, and ${more} follow`)
  else if (remaining > right + gained)
    add(
      index,
      'remaining does not count down',
      `Remaining is ${run.first}, and after ${more} ${remaining}; right is ${Math.max(0, right)}`,
    )
  else if (remaining < run.before - 1)
    add(index, 'remaining skips', `Remaining is ${run.before} and then ${remaining}; right is ${run.before - 1}`)
  return { ...run, admitted, before: remaining }
}

/** Requests that leave a rolling log between two times: as many as were admitted a period before, possibly all at once. */
function expiredIn({ groups }: History, from: number, to: number, periodMs: number): number {
  const isOld = ({ sentAt, answeredAt }: Group) => answeredAt > from - periodMs && sentAt <= to - periodMs
  return groups.filter(isOld).reduce((sum, { admitted }) => sum + admitted, 0)
}

function compareTimes(
  { resetSeconds: reset, windowSeconds }: StatedLimit,
  index: number,
  limit: RateLimit,
  add: Add,
): void {
  const period = limit.periodMs / 1000
  if (reset !== undefined && reset < -2) add(index, 'reset in the past', `Reset is ${Math.round(-reset)} s in the past`)
  if (reset !== undefined && reset > period + 2)
    add(index, 'reset too late', `Reset is in ${Math.round(reset)} s, longer than the period of ${period} s`)
  if (windowSeconds !== undefined && Math.abs(windowSeconds - period) > 1)
    add(index, 'window', `RateLimit-Policy states a window of ${windowSeconds} s, documented are ${period} s`)
}
