/** Checks that requests are served: always, or at least once all faults are over. */
import type { Asked, History } from '../run/history.ts'
import type { Plan, Step } from '../run/plan.ts'

/** Time after the end of a fault in which requests may still fail: until connections are restored, and one retry. */
export const recoveryMs = 3_000

/** No request fails or stays without a response. For scenarios whose faults clients must not notice. */
export function availableCheck(plan: Plan, { asked, endedAt }: History): string | undefined {
  const failed = asked.find((one) => isFailed(one, plan, endedAt))
  return failed && `request ${failed.id} on ${failed.node} at ${failed.startedAt} ms ${outcomeOf(failed)}`
}

/** Requests that start `recoveryMs` after the end of the last fault are served. */
export function recoveryCheck(plan: Plan, { asked, endedAt }: History): string | undefined {
  const overAt = Math.max(0, ...plan.steps.map(endOf)) + recoveryMs
  const failed = asked.find((one) => one.startedAt >= overAt && isFailed(one, plan, endedAt))
  if (failed === undefined) return undefined
  const since = failed.startedAt - overAt + recoveryMs
  return `request ${failed.id} on ${failed.node} ${outcomeOf(failed)}, ${since} ms after the last fault was over`
}

/** A request that starts so late that the run ends before its deadline is not judged. */
function isFailed({ status, startedAt }: Asked, { deadlineMs }: Plan, endedAt: number): boolean {
  return status >= 500 || (status === 0 && startedAt + 4 * deadlineMs < endedAt)
}

const outcomeOf = ({ status }: Asked) => (status === 0 ? 'got no response' : `was answered with ${status}`)

/** When the effects of a step end; 0 for steps that are no faults. */
function endOf(step: Step): number {
  switch (step.kind) {
    case 'failover':
      return step.at + step.forMs
    case 'restart':
      return step.at + step.drainMs + step.downMs
    case 'cut':
    case 'heal':
    case 'crash':
    case 'start':
    case 'store-down':
    case 'store-up':
    case 'clock':
    case 'disk':
      return step.at
    default:
      return 0
  }
}
