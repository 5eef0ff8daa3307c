/**
 * Requests that wait for the next message of a feed, bounded in number. If there are more, rejected requests take
 * precedence and the others are only counted.
 */
import type { Row } from './row.ts'

export interface PendingRows {
  add(row: Row): void
  /** Removes and returns the rows; `undefined`: there are none. */
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
      if (row.rejection === undefined) return
      const weakest = rows.findIndex(({ rejection }) => rejection === undefined)
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
