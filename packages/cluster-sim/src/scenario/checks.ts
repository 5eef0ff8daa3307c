/**
 * Checks of the history of a scenario. Each check applies a property of docs/reference/properties.md#verified-properties to
 * any plan.
 */
import {
  lateAdmission,
  mixedConfigurations,
  quotaDisorder,
  unevenConfigurations,
  worstWindow,
} from '../properties/history-checks.ts'
import type { Exchange, History } from '../run/history.ts'
import type { Plan, Step } from '../run/plan.ts'
import { limitsOfPlan, maxAllowance, mostAdmitted } from './limits-of-plan.ts'
import type { ScenarioCheck } from './scenario.ts'

export interface Violation {
  readonly check: ScenarioCheck
  readonly message: string
}

type Check = (plan: Plan, history: History) => string | undefined

/** Returns the first failed check; `undefined` if all pass. */
export function checkRun(plan: Plan, history: History, wanted: readonly ScenarioCheck[]): Violation | undefined {
  for (const check of wanted) {
    const message = checks[check](plan, history)
    if (message !== undefined) return { check, message }
  }
  return undefined
}

/** Property 13: no window of a limit admits more than it allows, over all nodes. Property 11 for quotas. */
const bound: Check = (plan, { exchanges, done }) => {
  for (const limit of limitsOfPlan(plan)) {
    const mine = exchanges.filter(limit.counts)
    const most = mostAdmitted(plan, limit) + lostAtFailover(plan, done, mine)
    const windowMs = limit.seconds > 0 ? limit.seconds * 1000 : Number.POSITIVE_INFINITY
    const { from, count } = worstWindow(mine, windowMs)
    if (count <= most) continue
    const when = limit.what === 'rate' ? ` from ${from} ms to ${from + windowMs} ms` : ''
    return `${limit.words}: ${count} admitted${when}, where ${most} may be`
  }
  return undefined
}

/** Admitted requests that the replica may not know when it replaces the primary. */
function lostAtFailover(plan: Plan, done: History['done'], exchanges: readonly Exchange[]): number {
  return done.reduce((sum, { step, startedAt }) => {
    if (step.kind !== 'failover') return sum
    const from = startedAt - step.lagMs - plan.network.delayMs[1]
    const lost = exchanges.filter(
      (one) => one.status === 200 && (one.endedAt ?? 0) >= from && one.startedAt <= startedAt,
    )
    return sum + lost.length
  }, 0)
}

/** Property 12: the decisions about a quota have a legal order. For quotas that do not renew or change in the run. */
const linearizable: Check = (plan, { exchanges }) => {
  for (const { name: key } of plan.keys) {
    const { quotaMax, quotaRenewalRate } = maxAllowance(plan, key)
    const changes = plan.steps.some(({ kind }) => kind === 'put-key' || kind === 'files' || kind === 'failover')
    if (quotaMax <= 0 || changes || (quotaRenewalRate > 0 && quotaRenewalRate * 1000 < plan.endsAt)) continue
    // A deleted key gets the same status as a used up quota.
    const isDeleted = plan.steps.some((step) => step.kind === 'delete-key' && step.key === key)
    const decided = exchanges.filter((one) => one.key === key && !(isDeleted && one.status === 403))
    const disorder = quotaDisorder(decided, quotaMax)
    if (disorder !== undefined) return `key ${key}: ${disorder}`
  }
  return undefined
}

/** Every request on a node that stayed up gets a response within the deadlines of the store. */
const answered: Check = (plan, { exchanges, done, endedAt }) => {
  const crashed = new Set(done.flatMap(({ step }) => (step.kind === 'crash' ? [step.node] : [])))
  // Session, rate and quota in sequence, plus the network delay.
  const most = 4 * plan.deadlineMs + plan.network.delayMs[1]
  const silent = exchanges.find(
    (one) =>
      !crashed.has(one.node) && one.startedAt + most < endedAt && (one.endedAt ?? endedAt) - one.startedAt > most,
  )
  return silent && `request ${silent.id} on ${silent.node} was not answered within ${most} ms`
}

/** Time after the end of a fault in which requests may still fail: until connections are restored, and one retry. */
const recoveryMs = 3_000

/** No request fails or stays without a response. For scenarios whose faults clients must not notice. */
const available: Check = (plan, { exchanges, endedAt }) => {
  const failed = exchanges.find((one) => isFailed(one, plan, endedAt))
  return failed && `request ${failed.id} on ${failed.node} at ${failed.startedAt} ms ${outcomeOf(failed)}`
}

/** Requests that start `recoveryMs` after the end of the last fault are served. */
const recovery: Check = (plan, { exchanges, endedAt }) => {
  const overAt = Math.max(0, ...plan.steps.map(endOf)) + recoveryMs
  const failed = exchanges.find((one) => one.startedAt >= overAt && isFailed(one, plan, endedAt))
  if (failed === undefined) return undefined
  const since = failed.startedAt - overAt + recoveryMs
  return `request ${failed.id} on ${failed.node} ${outcomeOf(failed)}, ${since} ms after the last fault was over`
}

/** A request that starts so late that the run ends before its deadline is not judged. */
function isFailed({ status, startedAt }: Exchange, { deadlineMs }: Plan, endedAt: number): boolean {
  return status >= 500 || (status === 0 && startedAt + 4 * deadlineMs < endedAt)
}

const outcomeOf = ({ status }: Exchange) => (status === 0 ? 'got no response' : `was answered with ${status}`)

/** Faults without a duration of their own. */
const instantFaults = new Set<Step['kind']>([
  'cut',
  'heal',
  'crash',
  'start',
  'store-down',
  'store-up',
  'clock',
  'disk',
])

/** When the effects of a step end; 0 for steps that are no faults. */
function endOf(step: Step): number {
  if (step.kind === 'failover') return step.at + step.forMs
  if (step.kind === 'restart') return step.at + step.drainMs + step.downMs
  return instantFaults.has(step.kind) ? step.at : 0
}

const checks: Readonly<Record<ScenarioCheck, Check>> = {
  bound,
  linearizable,
  /** Property 14. */
  reload: (_plan, history) => mixedConfigurations(history),
  /** Property 17. */
  'deleted-keys': lateAdmission,
  /** Property 20. */
  convergence: unevenConfigurations,
  answered,
  available,
  recovery,
}
