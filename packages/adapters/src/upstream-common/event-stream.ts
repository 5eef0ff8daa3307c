/** Event streams (WHATWG HTML 9.2) are silent as long as nothing happens, which is no fault of the upstream. */
import { type HeaderPairs, headerOf } from '@turnpike/core'

/** Whether an answer with this head may be silent for as long as it likes. */
export function isEventStream(headers: HeaderPairs): boolean {
  return headerOf(headers, 'content-type')?.trimStart().toLowerCase().startsWith('text/event-stream') ?? false
}
