/** `judgeLimiter`: the attacks of `turnpike judge` on a function, in virtual time. */
import {
  type Acquired,
  type FunctionToJudge,
  JudgeInputError,
  type Judgement,
  judgeFunction,
} from '@turnpike/judge/limiter'
import { aFunction, checkInput, InputError } from './check-input.ts'

/**
 * The time that a limiter reads, in ms: a `VirtualClock`, or the fake timers of a test framework, such as
 * `{ now: () => Date.now(), advance: (ms) => vi.advanceTimersByTimeAsync(ms) }`.
 */
export interface JudgedClock {
  now(): number
  /** Advances the time and fires the timers that become due. */
  advance(ms: number): void | Promise<void>
}

/** A decision, possibly with what the limiter states: `remaining` requests, and `retryAfterMs` after a rejection. */
export type LimiterDecision = Acquired

/**
 * `limit`: COUNT/PERIOD, such as `10/60s`, or a list if several hold at once. `burst`: room of a bucket; default: found by
 * probing. `block`: how long a client is blocked after it has exceeded the limit, such as `10s`. `slack`: how much too early
 * a request may come, such as `50ms`. `kind`: the documented kind; default `auto`. `seed`: of the drawn traces; default 1.
 */
export type LimiterToJudge = Omit<FunctionToJudge, 'timer' | 'settle'> & { readonly clock: JudgedClock }

/** Longer waits for a promise without any timer on the clock are a mistake of the limiter or of the test. */
const maxWaitMs = 10_000

/**
 * Judges a limiter with textbook attacks and drawn traces, each with fresh keys. Every mistake is shrunk and repeated:
 * `outcome` is `holds`, `broken` or `undecided`, and `text` is the report. Limits of days take no longer than those of
 * seconds, because all time is virtual.
 *
 * Rejects with an `InputError` if an option is wrong, and with what `tryAcquire` throws.
 */
export async function judgeLimiter(options: LimiterToJudge): Promise<Judgement> {
  checkInput('judgeLimiter', 'tryAcquire', options?.tryAcquire, aFunction)
  checkInput('judgeLimiter', 'clock.now', options.clock?.now, aFunction)
  checkInput('judgeLimiter', 'clock.advance', options.clock.advance, aFunction)
  const { clock, ...limiter } = options
  const timer = {
    now: () => clock.now(),
    async sleepUntil(instant: number) {
      if (instant > clock.now()) await clock.advance(instant - clock.now())
    },
  }
  try {
    return await judgeFunction({ ...limiter, timer, settle: makeSettle(clock) })
  } catch (cause) {
    throw cause instanceof JudgeInputError ? new InputError(`judgeLimiter: ${cause.message}`) : cause
  }
}

/** Awaits promises of the limiter. The time advances, once for all of them, while they wait for timers of the clock. */
function makeSettle(clock: JudgedClock): <T>(promise: Promise<T>) => Promise<T> {
  let waiting = 0
  let settledAt = 0
  let advancing: Promise<void> | undefined
  const advance = async () => {
    settledAt = performance.now()
    while (waiting > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      if (waiting === 0) break
      if (performance.now() - settledAt > maxWaitMs)
        throw new InputError(`judgeLimiter: tryAcquire has not decided after ${maxWaitMs / 1000} s; does it use clock?`)
      await clock.advance(1)
    }
    advancing = undefined
  }
  return async (promise) => {
    waiting += 1
    const decided = promise.finally(() => {
      waiting -= 1
      settledAt = performance.now()
    })
    advancing ??= advance()
    const failed = advancing.then(() => decided)
    return Promise.race([decided, failed])
  }
}
