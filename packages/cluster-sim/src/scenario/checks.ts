/**
 * Checks of the history of a scenario. Each check applies a property of docs/reference/properties.md#verified-properties to
 * any plan.
 */
import { deletedKeyBoundMs } from '../properties/property-17-keys-deleted.ts'
import { worstWindow } from '../properties/worst-window.ts'
import type { Asked, History } from '../run/history.ts'
import type { Allowance, Plan, PlannedKey } from '../run/plan.ts'
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

/** Property 13: no window of a key admits more than its limit, over all nodes. Property 11 for its quota. */
const bound: Check = (plan, { asked }) => {
  for (const key of namesOf(plan)) {
    const mine = asked.filter((one) => one.key === key)
    const { rate, per, quotaMax, quotaRenewalRate } = maxAllowance(plan, key)
    if (rate > 0) {
      const most = rateBound(plan, rate)
      const { from, count } = worstWindow(mine, per * 1000)
      if (count > most)
        return `key ${key}: ${count} admitted from ${from} ms to ${from + per * 1000} ms, where ${most} may be`
    }
    if (quotaMax > 0) {
      const windowMs = quotaRenewalRate > 0 ? quotaRenewalRate * 1000 : Number.POSITIVE_INFINITY
      // A window at any position may overlap two periods.
      const most = quotaRenewalRate > 0 && windowMs < plan.endsAt ? 2 * quotaMax : quotaMax
      const { count } = worstWindow(mine, windowMs)
      if (count > most) return `key ${key}: ${count} admitted, where its quota lets ${most} pass`
    }
  }
  return undefined
}

/**
 * Property 12: the remaining quotas of a key give an order that contradicts no time. For quotas that do not renew in the
 * run.
 */
const linearizable: Check = (plan, { asked }) => {
  for (const key of namesOf(plan)) {
    const { quotaMax, quotaRenewalRate } = maxAllowance(plan, key)
    const changes = plan.steps.some((step) => step.kind === 'put-key' || step.kind === 'files')
    if (quotaMax <= 0 || changes || (quotaRenewalRate > 0 && quotaRenewalRate * 1000 < plan.endsAt)) continue
    const admitted = asked.filter((one) => one.key === key && one.status === 200)
    const ordered = admitted.toSorted((a, b) => b.remaining - a.remaining)
    for (let i = 1; i < ordered.length; i += 1) {
      const [before, after] = [ordered[i - 1] as Asked, ordered[i] as Asked]
      if (before.remaining === after.remaining) {
        return `key ${key}: requests ${before.id} and ${after.id} both got ${after.remaining} as remaining`
      }
      if ((after.endedAt ?? 0) < before.startedAt) {
        return `key ${key}: request ${before.id} began after the end of ${after.id} and got a higher remaining count`
      }
    }
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
}

function rateBound(plan: Plan, rate: number): number {
  if (plan.algorithm === 'fixed') return 2 * rate
  // Each node has a bucket, which is full after a crash.
  if (plan.algorithm === 'local')
    return 2 * rate * plan.nodes.length * (1 + plan.steps.filter(({ kind }) => kind === 'crash').length)
  // Requests that are decided before another request's log entry reaches the store are still admitted.
  if (plan.algorithm === 'sentinel') return Number.POSITIVE_INFINITY
  return rate
}

const namesOf = ({ keys }: Plan) => keys.map(({ name }) => name)

/** The highest limit that the key has at any time in the plan; 0 if it has no limit at some time. */
function maxAllowance({ keys, files, steps }: Plan, name: string): Allowance {
  const written = steps.flatMap((step) => (step.kind === 'put-key' && step.key.name === name ? [step.key] : []))
  const states = [files, ...steps.flatMap((step) => (step.kind === 'files' ? [step.files] : []))]
  const all = [...keys.filter((key) => key.name === name), ...written].flatMap(({ allowance, policy }: PlannedKey) =>
    policy === undefined ? [allowance] : states.map(({ policies }) => policies[policy]),
  )
  const known = all.filter((one) => one !== undefined)
  const widest = (pick: (one: Allowance) => number) =>
    known.some((one) => pick(one) <= 0) ? 0 : Math.max(0, ...known.map(pick))
  return {
    rate: widest(({ rate }) => rate),
    per: Math.min(...known.map(({ per }) => per)),
    quotaMax: widest(({ quotaMax }) => quotaMax),
    quotaRenewalRate: Math.min(...known.map(({ quotaRenewalRate }) => quotaRenewalRate)),
  }
}
