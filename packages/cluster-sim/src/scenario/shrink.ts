/**
 * Makes a plan short that breaks a check: takes steps out, many at once and then fewer, as long as the same check stays
 * broken. The run is the judge, so whatever is left is needed.
 */
import type { Plan, Step } from '../run/plan.ts'

export interface ShrinkOptions {
  /** Whether the plan still breaks the check. */
  breaks(plan: Plan): Promise<boolean>
  /** Runs that may be made. Default 400. */
  readonly mostRuns?: number
  onProgress?(steps: number, runs: number): void
}

export async function shrinkPlan(plan: Plan, { breaks, mostRuns = 400, onProgress }: ShrinkOptions): Promise<Plan> {
  let best = plan
  let runs = 0
  for (let size = Math.ceil(plan.steps.length / 2); size >= 1; ) {
    let shorter: Plan | undefined
    for (let from = 0; from < best.steps.length && runs < mostRuns; from += size) {
      const candidate = { ...best, steps: withoutOrphans(best.steps.toSpliced(from, size)) }
      runs += 1
      if (!(await breaks(candidate))) continue
      shorter = candidate
      break
    }
    if (runs >= mostRuns) return shorter ?? best
    if (shorter !== undefined) {
      best = shorter
      onProgress?.(best.steps.length, runs)
      size = Math.min(size, Math.max(1, Math.ceil(best.steps.length / 2)))
    } else if (size === 1) return best
    else size = Math.ceil(size / 2)
  }
  return best
}

/** What ends a fault that never began goes with it. */
function withoutOrphans(steps: readonly Step[]): Step[] {
  const begins: Readonly<Partial<Record<Step['kind'], Step['kind']>>> = {
    heal: 'cut',
    start: 'crash',
    'store-up': 'store-down',
  }
  return steps.filter((step, i) => {
    const beginning = begins[step.kind]
    return (
      beginning === undefined ||
      steps.slice(0, i).some((earlier) => earlier.kind === beginning && samePlace(earlier, step))
    )
  })
}

function samePlace(a: Step, b: Step): boolean {
  if ('node' in a && 'node' in b) return a.node === b.node
  if ('a' in a && 'a' in b) return a.a === b.a && a.b === b.b
  return true
}
