/** The status of rejections, learned from calm traffic, so that a failing upstream is not taken for the limiter. */
import { type History, makeGroup } from '../trace/trace-and-history.ts'
import type { Subject } from './prober.ts'
import type { DoneJob } from './trace-queue.ts'

/**
 * If calm traffic gets 429 and another status of the rejections, only 429 comes from the limiter: a request with another
 * one has passed it. Changes the subject, and returns the jobs as they are then.
 */
export function learnRejectedStatus(subject: Subject, done: readonly DoneJob[]): readonly DoneJob[] {
  const seen = new Set(
    done.flatMap(({ history }) => history.groups.flatMap(({ exchanges }) => exchanges.map(statusOf))),
  )
  const others = subject.rejected.filter((status) => status >= 500 && seen.has(status))
  if (!seen.has(429) || !subject.rejected.includes(429) || others.length === 0) return done
  subject.rejected = subject.rejected.filter((status) => !others.includes(status))
  subject.admitted = [...subject.admitted, ...others]
  return done.map((job) => ({ ...job, history: passed(job.history, others) }))
}

const statusOf = ({ status }: { readonly status: number }) => status

function passed(history: History, statuses: readonly number[]): History {
  const groups = history.groups.map(({ step, exchanges }) =>
    makeGroup(
      step,
      exchanges.map((one) => (statuses.includes(one.status) ? { ...one, admitted: true } : one)),
    ),
  )
  return { ...history, groups }
}
