/** What was asked about a limit, and the result. */
import type { BatchOptions } from '../attacks/batch-attack.ts'
import type { Kind, Model, RateLimit } from '../models/model.ts'
import { durationOf, requestsOf, type Trace } from '../trace/trace-and-history.ts'
import { type Confirmed, repetitions } from './confirm-suspicion.ts'

export interface LimitToJudge {
  /** For people, such as "5 in 60 s". */
  readonly name: string
  /** All of them hold at once. Attacks are made for the first one, and traces of one client for each. */
  readonly limits: readonly [RateLimit, ...RateLimit[]]
  readonly kind: Kind | 'auto'
  /** Seed of the drawn traces. */
  readonly seed: number
  /** Spellings of a key that the user states to be equal. */
  readonly spellings: readonly string[]
  readonly batch?: BatchOptions
  /** True for a function without HTTP, so that keys have one spelling. */
  readonly isFunction?: boolean
}

/** The limit holds in everything that was sent, it is broken, or what was seen does not allow a verdict. */
export type Outcome = 'holds' | 'broken' | 'undecided'

export interface LimitReport {
  readonly limit: LimitToJudge
  /** Models that explain all calm traffic; none if the kind is not recognised. */
  readonly kinds: readonly Model[]
  /** Models that calm traffic ruled out, and how. */
  readonly ruledOut: readonly { readonly model: Model; readonly because: string }[]
  /** What an attack showed that no kind of `kinds` decides, although it is within the bounds. */
  readonly oddity?: string
  readonly outcome: Outcome
  /** Why there is no verdict; empty unless the outcome is `undecided`. */
  readonly undecided: readonly string[]
  /** Mistakes that were seen in each of three repetitions. */
  readonly findings: readonly Confirmed[]
  /** Mistakes that were not seen in each repetition. */
  readonly unconfirmed: readonly Confirmed[]
  readonly notes: readonly string[]
  readonly notJudged: readonly { readonly what: string; readonly why: string }[]
  /** The budget of a complete verdict, if the one that was given is too small. */
  readonly needs?: NeededBudget
  /** Names of the attacks that ran. */
  readonly tried: readonly string[]
}

export interface NeededBudget {
  readonly seconds: number
  readonly maxRequests: number
}

const optional = ['drawn', 'retries']

interface Facts {
  readonly findings: readonly Confirmed[]
  readonly unconfirmed: readonly Confirmed[]
  readonly tried: ReadonlySet<string>
  readonly beyondBudget: ReadonlySet<string>
  readonly isInterrupted: boolean
  /** What was seen and may be a mistake. */
  readonly doubts: ReadonlySet<string>
}

export function outcomeOf(facts: Facts): { readonly outcome: Outcome; readonly why: readonly string[] } {
  const { findings, unconfirmed, tried, beyondBudget, isInterrupted, doubts } = facts
  if (findings.length > 0) return { outcome: 'broken', why: [] }
  // Drawn traces repeat what the other attacks try, and retries take long with a gateway that delays requests.
  const missing = [...beyondBudget].filter((name) => !tried.has(name) && !optional.includes(name))
  const why = [
    ...(isInterrupted ? ['the run was interrupted'] : []),
    ...(tried.size === 0 ? ['nothing was judged'] : []),
    ...doubts,
    ...(unconfirmed.length > 0 ? [`${unconfirmed.length} not confirmed`] : []),
    ...(missing.length > 0 ? [`the budget was too small for ${missing.join(', ')}`] : []),
  ]
  return why.length > 0 ? { outcome: 'undecided', why } : { outcome: 'holds', why }
}

const confirmations = 4

/** A budget in which all the traces run, and a few mistakes are shrunk and repeated. */
export function completeBudget(planned: readonly Trace[]): NeededBudget {
  const most = (numbers: readonly number[]) => Math.max(0, ...numbers)
  const requests = planned.map(requestsOf)
  const seconds = planned.map((trace) => durationOf(trace) / 1000)
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  const searched = 3 * most(seconds) + sum(seconds) / 10
  return {
    seconds: Math.ceil(Math.max(searched / 0.7, searched + (1 + repetitions) * most(seconds)) + 5),
    maxRequests: Math.ceil((sum(requests) * 1.5 + confirmations * repetitions * most(requests)) / 100) * 100,
  }
}
