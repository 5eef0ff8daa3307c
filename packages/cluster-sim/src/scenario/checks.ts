/**
 * Checks of the history of a scenario. Each check applies a property of docs/reference/properties.md#verified-properties to
 * any plan.
 */
import { deletedKeyBoundMs } from '../properties/property-17-keys-deleted.ts'
import { quotaDisorder } from '../properties/quota-order.ts'
import { worstWindow } from '../properties/worst-window.ts'
import type { Asked, History } from '../run/history.ts'
import type { Plan } from '../run/plan.ts'
import { availableCheck, recoveryCheck } from './availability.ts'
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
const bound: Check = (plan, { asked, done }) => {
  for (const limit of limitsOfPlan(plan)) {
    const mine = asked.filter(limit.counts)
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
function lostAtFailover(plan: Plan, done: History['done'], asked: readonly Asked[]): number {
  return done.reduce((sum, { step, startedAt }) => {
    if (step.kind !== 'failover') return sum
    const from = startedAt - step.lagMs - plan.network.delayMs[1]
    const lost = asked.filter((one) => one.status === 200 && (one.endedAt ?? 0) >= from && one.startedAt <= startedAt)
    return sum + lost.length
  }, 0)
}

/** Property 12: the decisions about a quota have a legal order. For quotas that do not renew or change in the run. */
const linearizable: Check = (plan, { asked }) => {
  for (const key of namesOf(plan)) {
    const { quotaMax, quotaRenewalRate } = maxAllowance(plan, key)
    const changes = plan.steps.some(({ kind }) => kind === 'put-key' || kind === 'files' || kind === 'failover')
    if (quotaMax <= 0 || changes || (quotaRenewalRate > 0 && quotaRenewalRate * 1000 < plan.endsAt)) continue
    // A deleted key gets the same status as a used up quota.
    const isDeleted = plan.steps.some((step) => step.kind === 'delete-key' && step.key === key)
    const decided = asked.filter((one) => one.key === key && !(isDeleted && one.status === 403))
    const disorder = quotaDisorder(decided, quotaMax)
    if (disorder !== undefined) return `key ${key}: ${disorder}`
  }
  return undefined
}

/** Property 14: no response is made from two configurations. */
const reload: Check = (_plan, { asked }) => {
  const mixed = asked.find((one) => one.status === 200 && one.versionOfPath !== one.versionOfHeaders)
  return mixed === undefined
    ? undefined
    : `request ${mixed.id} met version ${mixed.versionOfPath} of the target and ${mixed.versionOfHeaders} of the headers`
}

/** Property 17: a deleted key is invalid on all nodes within the stated time. */
const deletedKeys: Check = (plan, { asked, done }) => {
  const boundMs = deletedKeyBoundMs(plan)
  for (const { step, endedAt, problem } of done) {
    if (step.kind !== 'delete-key' || endedAt === undefined || problem !== undefined) continue
    const madeAnew = done.find(
      (one) => one.step.kind === 'put-key' && one.step.key.name === step.key && one.startedAt > endedAt,
    )
    const late = asked.find(
      ({ key, status, startedAt, node }) =>
        key === step.key &&
        status === 200 &&
        startedAt > endedAt + (node === step.node ? 0 : boundMs) &&
        startedAt < (madeAnew?.startedAt ?? Number.POSITIVE_INFINITY),
    )
    if (late !== undefined)
      return `${late.node} admits key ${step.key} ${late.startedAt - endedAt} ms after it was deleted`
  }
  return undefined
}

/**
 * Property 20: at the end, running nodes serve the newest files if a group reload was acknowledged after those were written.
 */
const convergence: Check = (plan, { atTheEnd, done, served }) => {
  const newest = new Map<string, number>()
  for (const { node, version, at } of served) {
    if (version < (newest.get(node) ?? 0)) return `${node} went back to version ${version} at ${at} ms`
    newest.set(node, version)
  }
  const files = plan.steps.findLast((step) => step.kind === 'files')
  const told = done.findLast(({ step }) => step.kind === 'reload-group')
  if (files?.kind !== 'files' || told?.endedAt === undefined || told.startedAt < files.at) return undefined
  const behind = Object.entries(atTheEnd).find(([, { version }]) => version !== files.files.version)
  return (
    behind && `${behind[0]} serves version ${behind[1].version} at the end, where ${files.files.version} was expected`
  )
}

/** Every request on a node that stayed up gets a response within the deadlines of the store. */
const answered: Check = (plan, { asked, done, endedAt }) => {
  const crashed = new Set(done.flatMap(({ step }) => (step.kind === 'crash' ? [step.node] : [])))
  // Session, rate and quota in sequence, plus the network delay.
  const most = 4 * plan.deadlineMs + plan.network.delayMs[1]
  const silent = asked.find(
    (one) =>
      !crashed.has(one.node) && one.startedAt + most < endedAt && (one.endedAt ?? endedAt) - one.startedAt > most,
  )
  return silent && `request ${silent.id} on ${silent.node} was not answered within ${most} ms`
}

const checks: Readonly<Record<ScenarioCheck, Check>> = {
  bound,
  linearizable,
  reload,
  'deleted-keys': deletedKeys,
  convergence,
  answered,
  available: availableCheck,
  recovery: recoveryCheck,
}

const namesOf = ({ keys }: Plan) => keys.map(({ name }) => name)
