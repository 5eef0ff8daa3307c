/** Clients that are rejected for long after they have exceeded the limit. */
import type { RateLimit } from '../models/model.ts'
import type { Standard } from '../models/standard.ts'
import type { History } from '../trace/trace-and-history.ts'

/** True if a client is rejected after a rest of two periods and from then on, which a long block explains. */
export function staysRejected(limits: readonly RateLimit[], { groups }: History): boolean {
  const restMs = 2 * Math.max(...limits.map(({ periodMs }) => periodMs)) + 20
  const rested = groups.findIndex((group, i) => i > 0 && group.sentAt - (groups[i - 1]?.answeredAt ?? 0) > restMs)
  return rested > 0 && groups.slice(rested).every(({ admitted }) => admitted === 0)
}

/** Limiters that count rejected requests, or block for them, lock out clients that do not stop. */
const mayLockOut = /rejected|blocks/

/** True if a client of a kind that admits some of its requests gets nothing for two periods. */
export function isLockedOut(limits: readonly RateLimit[], { kinds }: Standard, { groups }: History): boolean {
  if (kinds.length === 0 || kinds.some(({ name }) => mayLockOut.test(name))) return false
  const longMs = 2 * Math.max(...limits.map(({ periodMs }) => periodMs))
  let since: number | undefined
  for (const { sentAt, admitted } of groups) {
    if (admitted > 0) since = undefined
    else since ??= sentAt
    if (since !== undefined && sentAt - since >= longMs) return true
  }
  return false
}
