/**
 * Headers that stages of phase 1 want on whatever is answered: an answer of the upstream, of the cache, or an error.
 * They wait in `context.extraHeaders`; the chain adds them when the answer is settled.
 */
import { type HeaderPairs, setHeader } from '../../http/headers.ts'

interface AnsweredContext {
  extraHeaders: HeaderPairs | undefined
}

/** Has the header sent with the answer; `name` in lower case. A second call replaces the value. */
export function addExtraHeader(context: AnsweredContext, name: string, value: string): void {
  if (context.extraHeaders === undefined) context.extraHeaders = [name, value]
  else setHeader(context.extraHeaders, name, value)
}
