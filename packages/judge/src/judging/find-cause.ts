/** Why a gateway decides as it does: the limit that would explain everything that was seen. */
import { candidateModels } from '../models/candidate-models.ts'
import { explainByModels } from '../models/find-contradiction.ts'
import { roomOf } from '../models/lower-bounds.ts'
import { type Model, type RateLimit, secondsOf } from '../models/model.ts'
import type { History } from '../trace/trace-and-history.ts'
import type { Suspicion } from './suspicion.ts'

export interface Cause {
  /** One sentence. */
  readonly text: string
  /** True if a mistake has the same cause. */
  explains(suspicion: Seen): boolean
}

type Seen = Pick<Suspicion, 'attack' | 'statement' | 'history'>

/** Longer traces are not compared with other limits, because each comparison takes the square of their length. */
const maxCount = 300

/** Returns the cause of a mistake, or `undefined` if none of those that judge knows fits. */
export function findCause(limits: readonly RateLimit[], seen: Seen, calm: readonly History[]): Cause | undefined {
  const { mistake } = seen.statement
  const isRoom = mistake === 'less room than documented'
  if (mistake !== 'too many' && mistake !== 'too few' && !isRoom) return undefined
  const isSame = (other: Seen) => other.statement.mistake === mistake
  const all = [...calm, seen.history]
  if (all.every(isUnlimited))
    return {
      text: 'no request is rejected: there is no limit, or it does not apply to these requests',
      explains: isSame,
    }
  const [limit, ...others] = limits
  if (limit === undefined || others.length > 0) return undefined
  if (mistake === 'too few' && all.length > 1 && all.every((history) => isNeverRenewed(limit, history)))
    return { text: `no client gets more than ${limit.count} requests: the limit never renews`, explains: isSame }
  const fitting = limit.count > maxCount ? undefined : fittingLimit(limit, isRoom ? 'too few' : mistake, all)
  if (fitting !== undefined) return fitting
  const times = mistake === 'too many' ? timesTheLimit(limit, all) : undefined
  if (times !== undefined)
    return { text: `a fresh client gets ${times} times the limit (${processes(times)})`, explains: isSame }
  if (mistake === 'too few' && seen.attack === 'pace')
    return { text: 'clients that stay below the rate are rejected', explains: isSame }
  return undefined
}

/** The cause that another limit fits everything, such as 6 requests instead of 5. */
function fittingLimit(
  limit: RateLimit,
  mistake: 'too many' | 'too few',
  all: readonly History[],
  others = otherLimits(limit, mistake),
): (Cause & { readonly limit: RateLimit }) | undefined {
  for (const other of others) {
    const models = explaining(candidateModels(other, 'auto'), all)
    if (models.length === 0) continue
    const explains = (more: Seen) =>
      !more.statement.mistake.startsWith('headers') && explaining(models, [more.history]).length > 0
    return { text: describe(limit, other), explains, limit: other }
  }
  return undefined
}

/**
 * Another limit that admits less and fits everything, while the documented one does not. It is within the bounds, so it
 * is a mistake only if it differs by more than what limiters round, and was not preceded by a rejection: a limiter may
 * block clients.
 */
export function findLowerLimit(limits: readonly RateLimit[], all: readonly History[]): LowerLimit | undefined {
  const [limit, ...others] = limits
  if (limit === undefined || others.length > 0 || limit.count > maxCount) return undefined
  const found = fittingLimit(limit, 'too few', all)
  if (found === undefined) return undefined
  const rate = found.limit.count / found.limit.periodMs / (limit.count / limit.periodMs)
  return { text: found.text, isLarge: rate <= 0.8 }
}

/** A bucket with the right room that is filled more slowly looks like no kind of the documented limit. */
export function findSlowerBucket(limits: readonly RateLimit[], all: readonly History[]): string | undefined {
  const [limit, ...others] = limits
  if (limit === undefined || others.length > 0 || limit.count > maxCount) return undefined
  const slower = otherLimits(limit, 'too few').filter(({ burst }) => burst !== undefined)
  return fittingLimit({ ...limit, burst: limit.burst ?? limit.count }, 'too few', all, slower)?.text
}

export interface LowerLimit {
  readonly text: string
  /** True if limiters do not round that much. */
  readonly isLarge: boolean
}

function isNeverRenewed({ count }: RateLimit, { groups }: History): boolean {
  return groups.reduce((sum, { admitted }) => sum + admitted, 0) <= count
}

/** How many times the limit every fresh client gets in a row, if that is a whole number above one. */
function timesTheLimit({ count }: RateLimit, all: readonly History[]): number | undefined {
  const rooms = new Set(all.flatMap(({ groups }) => roomOf(groups) ?? []))
  const [room = 0] = rooms
  return rooms.size === 1 && room > count && room % count === 0 ? room / count : undefined
}

const processes = (times: number) => `looks like ${times} processes that each count for themselves`

function isUnlimited({ groups }: History): boolean {
  return groups.every(({ count, admitted }) => count === admitted)
}

/** The models that explain all histories, each with what it learned from those before. */
function explaining(models: readonly Model[], histories: readonly History[]): readonly Model[] {
  let left = models
  for (const { groups } of histories) {
    const verdict = explainByModels(left, groups)
    if (verdict.contradiction !== undefined || verdict.models.length === 0) return []
    left = verdict.models
  }
  return left
}

/** Limits that admit more, or less, the likeliest first. */
function otherLimits(limit: RateLimit, mistake: 'too many' | 'too few'): readonly RateLimit[] {
  const { count, periodMs, burst = count } = limit
  const isMore = mistake === 'too many'
  const counts = isMore
    ? [count + 1, 2 * count, 3 * count, 4 * count, 8 * count, Math.ceil(1.05 * count), Math.ceil(1.1 * count)]
    : [count - 1, Math.floor(0.95 * count), Math.floor(0.9 * count), Math.floor(count / 2)]
  const factors = isMore ? [0.5, 0.95, 0.9, 2 / 3, 0.75, 0.1] : [1.5, 2, 1.05, 1.1, 1.25, 3, 10, 60]
  const periods = [...factors.map((factor) => factor * periodMs), periodMs + (isMore ? -1000 : 1000)]
  const { burst: _, ...plain } = limit
  const rates = isMore ? [1.05, 1.1, 1.5, 2] : [0.95, 0.9, 0.98, 0.75, 0.5]
  return [
    ...[...new Set(counts)]
      .filter((other) => other > 0 && other !== count)
      .map((other) => ({ ...plain, count: other })),
    ...periods.filter((other) => other > 0).map((other) => ({ ...limit, periodMs: other })),
    // A bucket with the right room that is filled at another rate.
    ...rates.map((factor) => ({ ...limit, burst, count: factor * count })),
  ]
}

function describe({ count, periodMs }: RateLimit, other: RateLimit): string {
  const documented = `documented are ${count} in ${secondsOf(periodMs)}`
  const number = Number(other.count.toFixed(2))
  const fits = `everything that was seen fits ${number} in ${secondsOf(other.periodMs)}; ${documented}`
  const times = other.count / count
  return Number.isInteger(times) && times > 1 && other.burst === undefined ? `${fits} (${processes(times)})` : fits
}
