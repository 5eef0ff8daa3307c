/** What the history of a run may not show. Properties and scenarios use these checks. */
import { type Consume, type Consumed, checkLinearizable, limitModel, type Operation } from '@turnpike/testkit'
import type { Exchange, History } from '../run/history.ts'
import { sessionsCachedForMs } from '../run/one-api-gateway.ts'
import type { Plan } from '../run/plan.ts'

/** The window in which most requests began and ended as admitted. */
export function worstWindow(
  exchanges: readonly Exchange[],
  windowMs: number,
): { readonly from: number; readonly count: number } {
  const admitted = exchanges.filter(({ status, endedAt }) => status === 200 && endedAt !== undefined)
  let worst = { from: 0, count: 0 }
  for (let i = 0; i < admitted.length; i += 1) {
    const from = admitted[i]?.startedAt ?? 0
    let count = 0
    for (let j = i; j < admitted.length; j += 1) {
      const { startedAt, endedAt = 0 } = admitted[j] as Exchange
      if (startedAt >= from + windowMs) break
      if (endedAt < from + windowMs) count += 1
    }
    if (count > worst.count) worst = { from, count }
  }
  return worst
}

/**
 * Returns what contradicts every order of the requests of one key on a quota of `max` that does not renew, or
 * `undefined`. Requests without a decision about the quota have an unknown effect or, if the rate rejected them, none.
 */
export function quotaDisorder(exchanges: readonly Exchange[], max: number): string | undefined {
  const report = checkLinearizable(limitModel(max), exchanges.filter(({ status }) => status !== 429).map(operationOf))
  if (report.verdict === 'linearizable') return undefined
  if (report.verdict === 'undecided') return 'the order of its requests is undecided: too many were concurrent'
  const requests = report.violation.operations.map(({ client, output }) => {
    if (output?.allowed !== true) return `${client} (rejected)`
    return output.remaining === undefined ? client : `${client} (remaining ${output.remaining})`
  })
  return `no order explains the responses to ${requests.join(', ')}, with a limit of ${max}`
}

function operationOf({ id, key, startedAt, endedAt, status, remaining }: Exchange): Operation<Consume, Consumed> {
  const request = { client: `request ${id}`, key, input: { kind: 'consume' }, startedAt } as const
  if (endedAt === undefined || (status !== 200 && status !== 403)) return request
  const output = status === 403 ? { allowed: false } : { allowed: true, ...(remaining >= 0 ? { remaining } : {}) }
  return { ...request, endedAt, output }
}

/** No response is made from two configurations. */
export function mixedConfigurations({ exchanges }: History): string | undefined {
  const mixed = exchanges.find((one) => one.status === 200 && one.versionOfPath !== one.versionOfHeaders)
  return mixed === undefined
    ? undefined
    : `request ${mixed.id} met version ${mixed.versionOfPath} of the target and ${mixed.versionOfHeaders} of the headers`
}

/**
 * Ms after the answer to a delete in which another node may still take the key from its memory: it read the key just
 * before, the answer was as late as answers may be, and the message about the delete is lost.
 */
const deletedKeyBoundMs = ({ deadlineMs }: Pick<Plan, 'deadlineMs'>) => sessionsCachedForMs + deadlineMs

/** A deleted key is invalid on all nodes within the stated time. */
export function lateAdmission(plan: Plan, { exchanges, done }: History): string | undefined {
  const boundMs = deletedKeyBoundMs(plan)
  for (const { step, endedAt, problem } of done) {
    if (step.kind !== 'delete-key' || endedAt === undefined || problem !== undefined) continue
    const recreated = done.find(
      (one) => one.step.kind === 'put-key' && one.step.key.name === step.key && one.startedAt > endedAt,
    )
    const late = exchanges.find(
      ({ key, status, startedAt, node }) =>
        key === step.key &&
        status === 200 &&
        startedAt > endedAt + (node === step.node ? 0 : boundMs) &&
        startedAt < (recreated?.startedAt ?? Number.POSITIVE_INFINITY),
    )
    if (late !== undefined)
      return `${late.node} admits key ${step.key} ${late.startedAt - endedAt} ms after it was deleted`
  }
  return undefined
}

/** At the end, running nodes serve the newest files if a group reload was acknowledged after those were written. */
export function unevenConfigurations(plan: Plan, { atTheEnd, done, served }: History): string | undefined {
  const newest = new Map<string, number>()
  for (const { node, version, at } of served) {
    if (version < (newest.get(node) ?? 0)) return `${node} went back to version ${version} at ${at} ms`
    newest.set(node, version)
  }
  const files = plan.steps.findLast((step) => step.kind === 'files')
  const reload = done.findLast(({ step }) => step.kind === 'reload-group')
  if (files?.kind !== 'files' || reload?.endedAt === undefined || reload.startedAt < files.at) return undefined
  const behind = Object.entries(atTheEnd).find(([, { version }]) => version !== files.files.version)
  return (
    behind && `${behind[0]} serves version ${behind[1].version} at the end, where ${files.files.version} was expected`
  )
}
