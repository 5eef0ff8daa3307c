/** Judges a limiter that is a function, on a virtual clock: the same traffic, models and shrinking as over HTTP. */
import { makeClientPool, templateClients } from '../http/client-pool.ts'
import { parseTarget, type RawClient, type RawResponse } from '../http/raw-client.ts'
import { JudgeInputError } from '../judge-input.ts'
import { judgeLimit } from '../judging/limit-session.ts'
import { makeProber, type Subject } from '../judging/prober.ts'
import { makeBudget, type Timer } from '../judging/run-budget.ts'
import type { Kind } from '../models/model.ts'
import { type Judgement, toJudgement } from '../report/judge-json-report.ts'
import { type LimitOptions, limitToJudge } from './limit-options.ts'

/** What a limiter decides: whether the request is admitted, possibly with what it states about later ones. */
export type Acquired =
  | boolean
  | {
      readonly allowed: boolean
      /** Requests that are left. It is compared with the decisions that follow. */
      readonly remaining?: number
      /** After a rejection: ms until a request is admitted. It is compared with the decisions that follow. */
      readonly retryAfterMs?: number
    }

export interface FunctionToJudge extends LimitOptions {
  readonly kind?: Kind | 'auto' | undefined
  /** The virtual time that the limiter reads. `sleepUntil` advances it. */
  readonly timer: Timer
  /** Decides about `amount` requests (1) of the client with this key. A fresh client has a new key. */
  tryAcquire(key: string, amount?: number): Acquired | Promise<Acquired>
  /** Resolves with what the promise does. Advances the time if the limiter waits for it. Default: awaits the promise. */
  settle?<T>(promise: Promise<T>): Promise<T>
  /** Seed of the drawn traces. Default 1. */
  readonly seed?: number | undefined
  /** Called with one line at the start of each part. */
  onProgress?(text: string): void
}

/** Virtual time and calls cost little, so the budget never ends a run. */
const periods = 100_000

/** Rejects with what `tryAcquire` throws, and with a `JudgeInputError` if an option is wrong. */
export async function judgeFunction(options: FunctionToJudge): Promise<Judgement> {
  const { timer, seed = 1 } = options
  const target = limitToJudge({ ...options, seed })
  const longestMs = Math.max(...target.limits.map(({ periodMs, blockMs = 0 }) => periodMs + blockMs))
  const budget = makeBudget({
    seconds: (periods * longestMs) / 1000,
    maxRequests: Number.MAX_SAFE_INTEGER,
    maxRate: undefined,
    timer,
  })
  const url = parseTarget('http://127.0.0.1/')
  const subject: Subject = {
    request: { method: 'GET', target: url, headers: {} },
    place: { header: 'key' },
    rejected: [429],
    admitted: [],
    periodMs: target.limits[0].periodMs,
  }
  const failed: { cause?: unknown } = {}
  const calls = callsOf(options, failed)
  const pool = makeClientPool({
    make: templateClients('client-{n}'),
    size: Number.MAX_SAFE_INTEGER,
    restMs: 0,
    now: timer.now,
  })
  const onProgress = (line: string) => options.onProgress?.(line)
  const prober = makeProber(subject, calls, pool, budget)
  // One trace after the other: on a virtual clock none waits for another.
  const report = await judgeLimit({ ...target, isFunction: true }, { prober, lanes: 1, onProgress })
  if ('cause' in failed) throw failed.cause
  const seconds = (timer.now() - budget.startedAt) / 1000
  return toJudgement(report, () => undefined, { requests: budget.sent(), seconds })
}

/** Calls of the function in the form of requests. The first error of the function is kept. */
function callsOf({ timer, tryAcquire, settle }: FunctionToJudge, failed: { cause?: unknown }): RawClient {
  return {
    async send({ headers }): Promise<RawResponse> {
      const sentAt = timer.now()
      try {
        const acquired = tryAcquire(headers['key'] ?? '')
        const decision = acquired instanceof Promise ? await (settle?.(acquired) ?? acquired) : acquired
        return { sentAt, answeredAt: timer.now(), body: '', ...asResponse(decision) }
      } catch (cause) {
        if (!('cause' in failed)) failed.cause = cause
        throw cause
      }
    },
    close: () => undefined,
  }
}

function asResponse(decision: Acquired): Pick<RawResponse, 'status' | 'headers'> {
  const { allowed, remaining, retryAfterMs } = typeof decision === 'boolean' ? { allowed: decision } : decision
  if (typeof allowed !== 'boolean')
    throw new JudgeInputError(`tryAcquire returned ${JSON.stringify(decision)}; return true, false or { allowed }`)
  return {
    status: allowed ? 200 : 429,
    headers: {
      ...(remaining !== undefined && { 'x-ratelimit-remaining': String(remaining) }),
      ...(retryAfterMs !== undefined && !allowed && { 'retry-after': String(retryAfterMs / 1000) }),
    },
  }
}
