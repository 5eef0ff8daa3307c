/**
 * Shrinks a plan that fails a check: removes steps, many at once and then fewer, as long as the same check still fails.
 * Each attempt is verified by a run.
 */
import type { Plan, Step } from '../run/plan.ts'

export interface ShrinkOptions {
  /** Returns true if the plan still fails the check. */
  breaks(plan: Plan): Promise<boolean>
  /** Maximum number of runs. Default 400. */
  readonly maxRuns?: number
  onProgress?(steps: number, runs: number): void
}

export async function shrinkPlan(plan: Plan, { breaks, maxRuns = 400, onProgress }: ShrinkOptions): Promise<Plan> {
  const partners = partnersIn(plan.steps)
  let best = plan
  let runs = 0
  for (let size = Math.ceil(plan.steps.length / 2); size >= 1; ) {
    let shorter: Plan | undefined
    for (let from = 0; from < best.steps.length && runs < maxRuns; from += size) {
      const candidate = { ...best, steps: withoutHalves(best.steps.toSpliced(from, size), partners) }
      runs += 1
      if (!(await breaks(candidate))) continue
      shorter = candidate
      break
    }
    if (runs >= maxRuns) return shorter ?? best
    if (shorter !== undefined) {
      best = shorter
      onProgress?.(best.steps.length, runs)
      size = Math.min(size, Math.max(1, Math.ceil(best.steps.length / 2)))
    } else if (size === 1) return best
    else size = Math.ceil(size / 2)
  }
  return best
}

/** The step kinds that end a fault, by the kind of fault. */
const ends: Readonly<Partial<Record<Step['kind'], Step['kind']>>> = {
  cut: 'heal',
  crash: 'start',
  'store-down': 'store-up',
}

/** The end of each fault that has one, and the fault of each end. */
function partnersIn(steps: readonly Step[]): ReadonlyMap<Step, Step> {
  const partners = new Map<Step, Step>()
  for (const [i, step] of steps.entries()) {
    const kind = ends[step.kind]
    if (kind === undefined) continue
    const end = steps.find((other, j) => j > i && other.kind === kind && samePlace(step, other) && !partners.has(other))
    if (end === undefined) continue
    partners.set(step, end)
    partners.set(end, step)
  }
  return partners
}

/** A fault and its end are removed together, because a fault that never ends is a different one. */
function withoutHalves(steps: readonly Step[], partners: ReadonlyMap<Step, Step>): Step[] {
  const there = new Set(steps)
  return steps.filter((step) => {
    const partner = partners.get(step)
    return partner === undefined || there.has(partner)
  })
}

function samePlace(a: Step, b: Step): boolean {
  if ('node' in a && 'node' in b) return a.node === b.node
  if ('a' in a && 'a' in b) return a.a === b.a && a.b === b.b
  return true
}
