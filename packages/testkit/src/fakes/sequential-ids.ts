/** Ids that count up, so that a run can be repeated: still of the shape of random ones. */
import type { Ids } from '@turnpike/core'

/** Makes ids that begin at `first` (default 1): 32 hexadecimal digits that read as a version 4 UUID. */
export function makeSequentialIds(first = 1): Ids {
  let next = first
  return {
    uuid() {
      const digits = next.toString(16).padStart(12, '0')
      next += 1
      return `00000000000040008000${digits}`
    },
  }
}
