/** The options that describe a limit, of a gateway and of a function. */

import { JudgeInputError } from '../judge-input.ts'
import type { LimitToJudge } from '../judging/limit-report.ts'
import type { Kind } from '../models/model.ts'
import { parseLimit, parseTime, showLimit } from './parse-limit.ts'

export interface LimitOptions {
  /**
   * The documented limit or quota of each client: COUNT/PERIOD, such as `10/60s` or `1000/1d`. A list if several hold at
   * once; the attacks are made for the first one.
   */
  readonly limit: string | readonly string[]
  /** Requests that a full bucket admits at once. Default: found by probing. */
  readonly burst?: number | undefined
  /** How long a client is blocked after it has exceeded the limit, such as `10s`. Default: not, or for the period. */
  readonly block?: string | undefined
  /** How much too early a request may come, such as `50ms`. Default: not at all. */
  readonly slack?: string | undefined
}

/** The limits of the options. Throws a `JudgeInputError` if one is none. */
function limitsOf({ limit, burst, block, slack }: LimitOptions): LimitToJudge['limits'] {
  const more = {
    ...(burst !== undefined && { burst }),
    ...(block !== undefined && { blockMs: parseTime(block) }),
    ...(slack !== undefined && { slackMs: parseTime(slack) }),
  }
  const [first, ...others] = typeof limit === 'string' ? [limit] : limit
  if (first === undefined) throw new JudgeInputError('name the limit to judge, such as 10/60s')
  return [{ ...parseLimit(first), ...more }, ...others.map((text) => ({ ...parseLimit(text), ...more }))]
}

/** Throws a `JudgeInputError` if a limit or a time is none. */
export function limitToJudge(
  options: LimitOptions & {
    readonly kind?: Kind | 'auto' | undefined
    readonly seed?: number | undefined
    readonly spellings?: readonly string[] | undefined
    readonly batch?: LimitToJudge['batch'] | undefined
  },
): LimitToJudge {
  const { kind = 'auto', seed = Math.floor(Math.random() * 1_000_000), spellings = [], batch } = options
  const limits = limitsOf(options)
  return {
    name: limits.map(showLimit).join(' and '),
    ...{ limits, kind, seed, spellings },
    ...(batch !== undefined && { batch }),
  }
}
