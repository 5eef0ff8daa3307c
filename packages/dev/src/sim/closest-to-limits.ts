/** How close a run came to each limit: a limit that no run reaches shows nothing about it. */
import {
  type History,
  type LimitOfPlan,
  limitsOfPlan,
  mostAdmitted,
  type Plan,
  worstWindow,
} from '@turnpike/cluster-sim'

export interface ClosestToLimit extends Omit<LimitOfPlan, 'counts'> {
  /** The most requests that were admitted in one window, over all nodes. */
  readonly most: number
  /** The most that this limiter may admit in one window. */
  readonly bound: number
}

export function closestToLimits(plan: Plan, { exchanges }: History): ClosestToLimit[] {
  return limitsOfPlan(plan).map((one) => {
    const { counts, ...limit } = one
    const windowMs = limit.seconds > 0 ? limit.seconds * 1000 : Number.POSITIVE_INFINITY
    return { ...limit, bound: mostAdmitted(plan, one), most: worstWindow(exchanges.filter(counts), windowMs).count }
  })
}
