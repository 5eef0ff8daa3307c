/** The subject of a cluster property: anything that runs a plan and returns its history. */
import type { History } from '../run/history.ts'
import type { Plan } from '../run/plan.ts'
import { type RunOptions, runPlan } from '../run/run-plan.ts'

export interface ClusterSubject {
  readonly name: string
  run(plan: Plan): Promise<History>
}

/** Real engines in the simulation, with wrapped ports or another store. */
export function clusterSubject(name: string, options: RunOptions = {}): ClusterSubject {
  return { name, run: (plan) => runPlan(plan, options) }
}
