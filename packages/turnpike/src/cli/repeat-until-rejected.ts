/** `turnpike explain --until-rejected`: repeats a request until it is rejected, to see what a limit does. */
import type { WireExplanation } from '@turnpike/mgmt-api'

export interface ExplainedRequests {
  /** The last request: the rejected one, if there is one. */
  readonly report: WireExplanation
  /** Status of each request, in order. */
  readonly statuses: readonly number[]
}

/** Sends the request again until its status is 400 or higher, `limit` requests in all. `first`: its first result. */
export async function repeatUntilRejected(
  first: WireExplanation,
  again: () => Promise<WireExplanation>,
  limit: number,
): Promise<ExplainedRequests> {
  let report = first
  const statuses = [report.status]
  while (!isRejected(report.status) && statuses.length < limit) {
    report = await again()
    statuses.push(report.status)
  }
  return { report, statuses }
}

export function isRejected(status: number): boolean {
  return status >= 400
}

/** Returns one line about all requests, such as `requests: 5 × 200, 1 × 429`. */
export function statusesLine(statuses: readonly number[]): string {
  const groups: { status: number; count: number }[] = []
  for (const status of statuses) {
    const last = groups.at(-1)
    if (last?.status === status) last.count += 1
    else groups.push({ status, count: 1 })
  }
  const listed = groups.map(({ status, count }) => `${count} × ${status}`).join(', ')
  return `requests: ${listed}${statuses.some(isRejected) ? '' : '; none was rejected'}`
}
