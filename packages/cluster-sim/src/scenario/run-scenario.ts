/** Runs a scenario with many seeds, and shrinks the first counterexample. */
import type { History } from '../run/history.ts'
import type { Plan } from '../run/plan.ts'
import { type RunOptions, runPlan } from '../run/run-plan.ts'
import { checkRun, type Violation } from './checks.ts'
import { planOfScenario, type ScenarioSubject } from './plan-of-scenario.ts'
import { defaultChecks, type Scenario, type ScenarioCheck } from './scenario.ts'
import { shrinkPlan } from './shrink-plan.ts'

export interface ScenarioRunOptions extends Omit<RunOptions, 'onProgress' | 'gateway'> {
  /** Default: one API with the keys and policies of the scenario. */
  readonly subject?: ScenarioSubject
  /** Seed of the first run; later runs use the following seeds. Default 1. */
  readonly seed?: number
  /** Default 100. */
  readonly runs?: number
  /** Maximum number of runs in which a counterexample is shrunk. Default 400. */
  readonly maxShrinks?: number
  /** Called after each run, and while a counterexample is shrunk. */
  onProgress?(progress: ScenarioProgress): void
}

export type ScenarioProgress =
  | { readonly kind: 'run'; readonly done: number; readonly of: number; readonly requests: number }
  | { readonly kind: 'shrink'; readonly steps: number; readonly runs: number }

interface ReportedRun {
  readonly runs: number
  readonly requests: number
  /** Of the first run, or of the one with a violation. */
  readonly seed: number
  /** The first run; with a violation the shortest plan found that still fails the check. */
  readonly plan: Plan
  readonly history: History
}

export type ScenarioReport =
  | (ReportedRun & { readonly holds: true; readonly checks: readonly ScenarioCheck[] })
  | (ReportedRun & { readonly holds: false; readonly violation: Violation })

export async function runScenario(scenario: Scenario, options: ScenarioRunOptions = {}): Promise<ScenarioReport> {
  const { seed = 1, runs = 100, onProgress, subject, maxShrinks = 400, ...rest } = options
  const how: RunOptions = subject === undefined ? rest : { ...rest, gateway: subject.gateway }
  const checks = checksOf(scenario, subject)
  let requests = 0
  let first: { readonly plan: Plan; readonly history: History } | undefined
  for (let run = 0; run < runs; run += 1) {
    const plan = planOfScenario(scenario, seed + run, subject)
    const history = await runPlan(plan, how)
    first ??= { plan, history }
    requests += history.exchanges.length
    const violation = checkRun(plan, history, checks)
    onProgress?.({ kind: 'run', done: run + 1, of: runs, requests })
    if (violation === undefined) continue
    const breaks = async (shorter: Plan) =>
      checkRun(shorter, await runPlan(shorter, how), [violation.check]) !== undefined
    const shortest = await shrinkPlan(plan, {
      breaks,
      maxRuns: maxShrinks,
      onProgress: (steps, shrinks) => onProgress?.({ kind: 'shrink', steps, runs: shrinks }),
    })
    const seen = await runPlan(shortest, how)
    const last = checkRun(shortest, seen, [violation.check]) ?? violation
    return { holds: false, runs: run + 1, requests, seed: seed + run, violation: last, plan: shortest, history: seen }
  }
  if (first === undefined) throw new RangeError('a scenario needs at least one run')
  return { holds: true, runs, requests, checks, seed, ...first }
}

/** These checks read the versions that the API of a scenario puts into responses, or its keys. */
const needKeysOfScenario: readonly ScenarioCheck[] = ['linearizable', 'reload', 'deleted-keys']

function checksOf({ check }: Scenario, subject: ScenarioSubject | undefined): readonly ScenarioCheck[] {
  const wanted = check === null || check.length === 0 ? defaultChecks : check
  return subject === undefined ? wanted : wanted.filter((name) => !needKeysOfScenario.includes(name))
}
