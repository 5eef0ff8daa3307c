/** Deterministic ids, so that a run can be repeated. */
import type { Ids } from '@turnpike/core/ports'

/** Makes a generator of ids that count up from `first` (default 1): 32 hexadecimal digits in the form of a version 4 UUID (RFC 9562 section 5.4). */
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
