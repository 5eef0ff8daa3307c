/** Describes a response that differs from the guarantee, and names the property that it violates. */
import type { Millis } from '@turnpike/core/lib'
import type { LimitedTarget } from './find-targets.ts'
import { number, requests } from './format-text.ts'
import type { Verdict } from './gateway-sandbox.ts'
import type { KeyPlan } from './key-plan.ts'
import { wholeAmount } from './limit-model.ts'
import type { RequestLimit } from './limits-of-request.ts'
import type { GatewayEvent } from './property-filter.ts'

/** The result that the guarantees require for one request. */
export interface Expected {
  /** The limit that must reject the request; `undefined` if the request must pass. */
  readonly rejectedBy: RequestLimit | 'no such key' | undefined
  /** Number of earlier requests that counted against that limit. */
  readonly used: number
}

export interface RequestMoment {
  readonly kind: 'request'
  /** Milliseconds since the beginning. */
  readonly at: Millis
  /** `A`, `B`, `C`. */
  readonly key: string
  readonly limitedTarget: LimitedTarget
  readonly verdict: Verdict
  readonly expected: Expected
  readonly right: boolean
}

export type Moment =
  | RequestMoment
  | { readonly kind: GatewayEvent | 'clock'; readonly at: Millis; readonly key: string; readonly byMs?: number }

export interface Violation {
  readonly property: number
  readonly sentence: string
  /** The limit that is violated, if there is one. */
  readonly limit: RequestLimit | undefined
}

/** Returns true if the gateway's decision matches the guarantee. */
export function isRight({ rejectedBy }: Expected, verdict: Verdict, { limits }: LimitedTarget): boolean {
  const { rejectedBy: stage, status } = verdict
  const passed = stage === undefined && status < 400
  if (rejectedBy === undefined) return passed
  if (passed) return false
  if (rejectedBy === 'no such key') return !limits.some((limit) => limit.stage === stage)
  return isRejectionBy(rejectedBy, verdict)
}

/**
 * Returns true if this limit rejected the request. Rate and quota of a key are one stage, but use different status
 * codes.
 */
function isRejectionBy(limit: RequestLimit, { rejectedBy, status }: Verdict): boolean {
  return limit.stage === rejectedBy && (limit.stage !== 'key-limits' || (limit.what === 'rate') === (status === 429))
}

/** Describes the violation in the last moment of the trace. */
export function violationOf(wrong: RequestMoment, moments: readonly Moment[], plan: KeyPlan | undefined): Violation {
  const { rejectedBy } = wrong.expected
  if (rejectedBy === 'no such key') {
    const sentence = `key ${wrong.key} was deleted, and yet a request with it was let through`
    return { property: 17, sentence: `${plan?.words ?? 'a caller'}: ${sentence}`, limit: undefined }
  }
  const stage = wrong.verdict.rejectedBy
  const order = wrong.limitedTarget.limits
  const isLate =
    rejectedBy !== undefined && (stage === undefined || placeOf(order, wrong.verdict) > order.indexOf(rejectedBy))
  return isLate ? tooMany(wrong, rejectedBy, moments) : tooFew(wrong, moments, plan)
}

function placeOf(limits: readonly RequestLimit[], verdict: Verdict): number {
  const at = limits.findIndex((limit) => isRejectionBy(limit, verdict))
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

function tooMany(wrong: RequestMoment, limit: RequestLimit, moments: readonly Moment[]): Violation {
  const { most, windowMs } = wholeAmount(limit.amount)
  const within = limit.what === 'rate' ? windowMs : Number.POSITIVE_INFINITY
  const passed = moments.filter(
    (moment): moment is RequestMoment =>
      moment.kind === 'request' &&
      moment.verdict.rejectedBy === undefined &&
      sameCounter(moment, wrong, limit) &&
      wrong.at - moment.at < within,
  )
  const first = passed[0]?.at ?? wrong.at
  const when = wrong.at === first ? 'at once' : `within ${spanWords(wrong.at - first)}`
  const came = `${requests(passed.length)} came through ${when}`
  const asMany = passed.length > most ? `yet ${came}` : 'yet one more came through when it was used up'
  const property = limit.what === 'quota' ? 11 : limit.kind === 'rolling' || limit.kind === 'sentinel' ? 1 : 2
  return { property: propertyOf(moments, wrong, property), sentence: `${limit.words}, ${asMany}`, limit }
}

function tooFew(wrong: RequestMoment, moments: readonly Moment[], plan: KeyPlan | undefined): Violation {
  const { rejectedBy: stage, message, status } = wrong.verdict
  const limit = wrong.limitedTarget.limits.find((one) => isRejectionBy(one, wrong.verdict))
  const where = `${wrong.limitedTarget.target.method} ${wrong.limitedTarget.target.path} of "${wrong.limitedTarget.target.api.id}"`
  if (limit === undefined) {
    const what = stage === undefined ? `got ${status}` : `was rejected by the stage ${stage} (${status} ${message})`
    const sentence = `${plan?.words ?? 'a caller without a key'} may ask for ${where}, yet a request ${what}`
    return { property: propertyOf(moments, wrong, 6), sentence, limit: undefined }
  }
  const own = moments.filter(
    (moment) => moment.kind === 'request' && moment !== wrong && sameCounter(moment, wrong, limit),
  )
  const others = moments.some((moment) => moment.kind === 'request' && moment.key !== wrong.key)
  const used = `key ${wrong.key} was rejected (${status} ${message}) after ${requests(own.length)}`
  const why = others && limit.counter.includes('{key}') ? ': what other keys had used was counted against it' : ''
  return { property: propertyOf(moments, wrong, 6), sentence: `${limit.words}, yet ${used} of its own${why}`, limit }
}

function sameCounter(moment: Moment, wrong: RequestMoment, limit: RequestLimit): boolean {
  if (moment.kind !== 'request') return false
  const counts = moment.limitedTarget.limits.some(
    ({ counter, stage }) => counter === limit.counter && stage === limit.stage,
  )
  return counts && (!limit.counter.includes('{key}') || moment.key === wrong.key)
}

/** Returns the simplest property that explains the shrunk trace: every event left in it is necessary. */
function propertyOf(moments: readonly Moment[], wrong: RequestMoment, plain: number): number {
  if (moments.some(({ kind }) => kind === 'reload' || kind === 'rewrite')) return 14
  if (moments.some(({ kind }) => kind === 'clock')) return 9
  return plain === 6 && moments.some((moment) => moment.kind === 'request' && moment.key !== wrong.key) ? 8 : plain
}

/** Formats the time between two requests. */
export function spanWords(ms: Millis): string {
  return ms < 1000 ? `${number(ms)} ms` : `${number(ms / 1000)} s`
}
