/** Event streams (HTML standard, section 9.2) may be silent, so the timeout of responses does not apply to them. */
import { type HeaderPairs, headerOf } from '@turnpike/core'

/** Returns true if a response with these headers is an event stream. */
export function isEventStream(headers: HeaderPairs): boolean {
  return headerOf(headers, 'content-type')?.trimStart().toLowerCase().startsWith('text/event-stream') ?? false
}
