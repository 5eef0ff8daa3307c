/** Judges what clients saw by what docs/redis.md says. */
import {
  checkLinearizable,
  type LinearizabilityReport,
  limitModel,
  type Operation,
  type RecordCall,
  type RecordReply,
  recordModel,
  showLinearizability,
  windowLimitModel,
} from '@turnpike/testkit'
import { type Histories, quotaMax, rateMax, windowMax } from './clients.ts'

/** A node may use a session that another node changed for this long (docs/redis.md, "What a request costs"). */
const cachedMs = 10_000

/** One line per kind of object; a violation or an undecided history is a problem, with its timeline. */
export function judgeHistories(histories: Histories): { readonly lines: string[]; readonly problems: string[] } {
  const { quotas, rates, windows, records, admissions } = histories
  const lines: string[] = []
  const problems = histories.unexpected.map((response) => `unexpected response: ${response}`)
  const note = (
    what: string,
    operations: readonly Operation<unknown, unknown>[],
    report: LinearizabilityReport<unknown, unknown>,
  ) => {
    const unknown = operations.filter(({ endedAt }) => endedAt === undefined).length
    lines.push(`${what}: ${operations.length} operations, ${unknown} of them with unknown result, ${report.verdict}`)
    if (report.verdict !== 'linearizable') problems.push(`${what}: ${showLinearizability(report)}`)
  }
  const options = { maxMs: 20_000 }
  note('quotas', quotas, checkLinearizable(limitModel(quotaMax), quotas, options))
  note('rolling windows', rates, checkLinearizable(limitModel(rateMax), rates, options))
  note('fixed windows', windows, checkLinearizable(windowLimitModel(windowMax), windows, options))
  note('management calls on keys', records, checkLinearizable(recordModel(), records, options))
  const used = [...records, ...admissions.map((admission) => asPromised(admission, records))]
  note('management calls and admissions', used, checkLinearizable(recordModel(), used, options))
  return { lines, problems }
}

/**
 * A request that is admitted may have used a session that its node cached up to 10 s before. The read can therefore take
 * effect earlier, but not before the end of the last change through the same node, which evicts the session. Keys that do
 * not exist are not cached.
 */
function asPromised(
  admission: Operation<RecordCall, RecordReply>,
  records: readonly Operation<RecordCall, RecordReply>[],
): Operation<RecordCall, RecordReply> {
  if (admission.output?.found !== true) return admission
  const { client, key, startedAt } = admission
  const changes = records.flatMap((one) => {
    const isChange = one.key === key && one.input.kind !== 'read' && nodeOf(one.client) === nodeOf(client)
    return isChange && one.endedAt !== undefined && one.endedAt < startedAt ? [one.endedAt] : []
  })
  return { ...admission, startedAt: Math.max(startedAt - cachedMs, ...changes) }
}

const nodeOf = (client: string) => client.slice(client.indexOf(' at '))
