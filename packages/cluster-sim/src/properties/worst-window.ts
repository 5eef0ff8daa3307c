/** Counts admitted requests in windows of time, where each was decided at some moment between its beginning and its end. */
import type { Asked } from '../run/history.ts'

/** The window in which most requests began and ended as admitted. */
export function worstWindow(
  asked: readonly Asked[],
  windowMs: number,
): { readonly from: number; readonly count: number } {
  const admitted = asked.filter(({ status, endedAt }) => status === 200 && endedAt !== undefined)
  let worst = { from: 0, count: 0 }
  for (let i = 0; i < admitted.length; i += 1) {
    const from = admitted[i]?.startedAt ?? 0
    let count = 0
    for (let j = i; j < admitted.length; j += 1) {
      const { startedAt, endedAt = 0 } = admitted[j] as Asked
      if (startedAt >= from + windowMs) break
      if (endedAt < from + windowMs) count += 1
    }
    if (count > worst.count) worst = { from, count }
  }
  return worst
}
