/**
 * Requests that wait for the next message of a feed: a bounded number, however many there are. When there are more,
 * refusals stay and others are only counted.
 */
import type { Row } from './row.ts'

export interface PendingRows {
  add(row: Row): void
  /** Takes what waits; `undefined`: nothing does. */
  take(): { readonly rows: readonly Row[]; readonly skipped: number } | undefined
}

export function makePendingRows(most: number): PendingRows {
  let rows: Row[] = []
  let skipped = 0
  return {
    add(row) {
      if (rows.length < most) {
        rows.push(row)
        return
      }
      skipped += 1
      if (row.refusal === undefined) return
      const weakest = rows.findIndex(({ refusal }) => refusal === undefined)
      if (weakest === -1) return
      rows.splice(weakest, 1)
      rows.push(row)
    },
    take() {
      if (rows.length === 0) return undefined
      const taken = { rows, skipped }
      rows = []
      skipped = 0
      return taken
    },
  }
}
