/** The limits of a plan, each with the requests that it counts. */
import type { Exchange } from '../run/history.ts'
import type { Allowance, Plan, PlannedKey, PlannedLimit } from '../run/plan.ts'

export interface LimitOfPlan extends Omit<PlannedLimit, 'members'> {
  /** Returns true if the limit counts the request. */
  counts(exchange: Exchange): boolean
}

/** The limits of the simulated gateway, or the widest limits that the keys of the plan have at any time. */
export function limitsOfPlan(plan: Plan): LimitOfPlan[] {
  if (plan.limits !== undefined) return plan.limits.map(ofGateway)
  return plan.keys.flatMap(({ name }): LimitOfPlan[] => {
    const { rate, per, quotaMax, quotaRenewalRate } = maxAllowance(plan, name)
    const counts = ({ key }: Exchange) => key === name
    const words = `key ${name}`
    return [
      ...(rate > 0 ? [{ words, what: 'rate' as const, count: rate, seconds: per, counts }] : []),
      ...(quotaMax > 0
        ? [{ words, what: 'quota' as const, count: quotaMax, seconds: Math.max(0, quotaRenewalRate), counts }]
        : []),
    ]
  })
}

/** Requests that any window of the limit may admit over all nodes, with the limiter of the plan. */
export function mostAdmitted(plan: Plan, { what, count, seconds }: LimitOfPlan): number {
  if (what === 'rate') return rateBound(plan, count)
  // A window at any position may overlap two periods.
  return seconds > 0 && seconds * 1000 < plan.endsAt ? 2 * count : count
}

function rateBound(plan: Plan, rate: number): number {
  if (plan.algorithm === 'fixed') return 2 * rate
  // Each node has a bucket, which is full after a crash.
  if (plan.algorithm === 'local')
    return (
      2 * rate * (plan.nodes.length + plan.steps.filter(({ kind }) => kind === 'crash' || kind === 'restart').length)
    )
  // Requests that are decided before another request's log entry reaches the store are still admitted.
  if (plan.algorithm === 'sentinel') return Number.POSITIVE_INFINITY
  return rate
}

function ofGateway({ members, ...limit }: PlannedLimit): LimitOfPlan {
  const counted = new Set(members.map(({ key, target }) => `${target} ${key}`))
  return { ...limit, counts: ({ key, target = 0 }) => counted.has(`${target} ${key}`) }
}

/** The highest limit that the key has at any time in the plan; 0 if it has no limit at some time. */
export function maxAllowance({ keys, files, steps }: Plan, name: string): Allowance {
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
