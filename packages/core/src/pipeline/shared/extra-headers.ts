/**
 * Headers that stages of phase 1 add to every response: to responses of the upstream and of the cache, and to errors.
 * They are kept in `context.extraHeaders`, and the chain appends them to the final response.
 */
import { setHeader } from '../../http/headers.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** Adds a header; `name` in lower case. A second call with the same name replaces the value. */
export function addExtraHeader(context: Pick<RequestContext, 'extraHeaders'>, name: string, value: string): void {
  if (context.extraHeaders === undefined) context.extraHeaders = [name, value]
  else setHeader(context.extraHeaders, name, value)
}
