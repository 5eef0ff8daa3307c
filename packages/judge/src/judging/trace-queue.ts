/** Runs the traces of jobs at the same time, as far as there are clients and budget. */
import { durationOf, type History, requestsOf, type Trace } from '../trace/trace-and-history.ts'
import type { Job } from './attack-jobs.ts'
import { repetitions } from './confirm-suspicion.ts'
import type { NotJudged } from './group-not-judged.ts'
import { isNotRun, type Prober } from './prober.ts'

export type DoneJob = Job & { readonly history: History }

export interface TraceQueue {
  /**
   * Resolves with the histories, the shortest first. Traces that do not fit into the budget are in `notJudged`. The first
   * traces begin `gapMs` after each other.
   */
  run(jobs: readonly Job[], until: number, gapMs?: number): Promise<readonly DoneJob[]>
  readonly notJudged: NotJudged[]
  /** Names of attacks of which a trace ran, and of those of which none fits into the budget. */
  readonly tried: Set<string>
  readonly beyondBudget: Set<string>
  /** All traces with their attacks. */
  readonly planned: Trace[]
}

const laneGapMs = 20

/** `lanes`: traces that run at the same time. Calm traffic is needed in any case, so it is not skipped. */
export function makeTraceQueue(prober: Prober, lanes: number): TraceQueue {
  const notJudged: NotJudged[] = []
  const [tried, beyondBudget] = [new Set<string>(), new Set<string>()]
  const planned: Trace[] = []
  const { budget } = prober
  const skip = ({ attack, trace }: Job, why: string) => {
    notJudged.push({ what: attack.name, why, seconds: durationOf(trace) / 1000 })
    if (/--seconds|--max-requests|interrupted/.test(why)) beyondBudget.add(attack.name)
  }
  // What cannot be repeated could not be confirmed, and it would use up the budget for the rest.
  const whyNotRepeatable = (trace: Trace): string | undefined => {
    if ((1 + repetitions) * durationOf(trace) > budget.deadline - budget.timer.now())
      return 'three repetitions of it do not fit into the time; raise --seconds'
    if ((1 + repetitions) * requestsOf(trace) > budget.left())
      return `three repetitions of it do not fit into --max-requests ${budget.maxRequests}; raise it`
    return undefined
  }
  return {
    notJudged,
    tried,
    beyondBudget,
    planned,
    async run(jobs, until, gapMs = laneGapMs) {
      const queue = [...jobs]
      planned.push(...jobs.map(({ trace }) => trace))
      const done: DoneJob[] = []
      const work = async (_: unknown, lane: number) => {
        // A trace begins while no other does, because its times are as exact as its first response is quick.
        await budget.timer.sleepUntil(budget.timer.now() + lane * gapMs)
        for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
          const why = job.attack.name === 'calm' ? undefined : whyNotRepeatable(job.trace)
          if (why !== undefined) {
            skip(job, why)
            continue
          }
          const history = await (job.prober ?? prober).run(job.trace, until, { more: job.more, isSearch: true })
          if (isNotRun(history)) skip(job, history.notRun)
          else {
            done.push({ ...job, history })
            tried.add(job.attack.name)
          }
        }
      }
      await Promise.all(Array.from({ length: Math.min(lanes, prober.pool.size, jobs.length) }, work))
      return done.toSorted((a, b) => durationOf(a.trace) - durationOf(b.trace))
    },
  }
}
