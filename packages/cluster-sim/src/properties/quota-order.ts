/** Checks the decisions about a quota with the linearizability checker of testkit. */
import { type Consume, type Consumed, checkLinearizable, limitModel, type Operation } from '@turnpike/testkit'
import type { Asked } from '../run/history.ts'

/**
 * Returns what contradicts every order of the requests of one key on a quota of `max` that does not renew, or
 * `undefined`. Requests without a decision about the quota have an unknown effect or, if the rate rejected them, none.
 */
export function quotaDisorder(asked: readonly Asked[], max: number): string | undefined {
  const report = checkLinearizable(limitModel(max), asked.filter(({ status }) => status !== 429).map(operationOf))
  if (report.verdict === 'linearizable') return undefined
  if (report.verdict === 'undecided') return 'the order of its requests is undecided: too many were concurrent'
  const requests = report.violation.operations.map(({ client, output }) => {
    if (output?.allowed !== true) return `${client} (rejected)`
    return output.remaining === undefined ? client : `${client} (remaining ${output.remaining})`
  })
  return `no order explains the responses to ${requests.join(', ')}, with a limit of ${max}`
}

function operationOf({ id, key, startedAt, endedAt, status, remaining }: Asked): Operation<Consume, Consumed> {
  const request = { client: `request ${id}`, key, input: { kind: 'consume' }, startedAt } as const
  if (endedAt === undefined || (status !== 200 && status !== 403)) return request
  const output = status === 403 ? { allowed: false } : { allowed: true, ...(remaining >= 0 ? { remaining } : {}) }
  return { ...request, endedAt, output }
}
