/**
 * The lifetime of uWS's request object. uWS reuses one `UwsRequest` for all requests, so it is valid only until the
 * handler returns or awaits for the first time; any later access throws or reads another request. The reader below
 * copies everything at once, and no other code keeps a reference. The response object stays valid until it has ended or
 * was aborted; `UwsExchange` tracks that.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import { encodeHeaderValue, isAsciiValue } from '../front-end-common/header-validation.ts'
import { escapeRawText } from '../front-end-common/request-target.ts'
import type { UwsRequest } from './uws-binding.ts'

/** A copy of a request's head that stays valid after the handler has returned. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  readonly query: string
  /** The target ends in a question mark. */
  readonly hasEmptyQuery: boolean | undefined
  readonly headers: HeaderPairs
  /** A header value contains a control character that uWS accepts, such as DEL. RFC 9110 section 5.5 allows only tab. */
  readonly hasControlCharacter: boolean
}

/** Makes a function that copies the head of a request. The handler must call that function before it awaits. */
export function makeRequestReader(): (req: UwsRequest) => RequestHead {
  // One callback for all requests saves an allocation per request. Heads are read synchronously, so they cannot mix.
  let collected: HeaderPairs = []
  let hasControlCharacter = false
  const collect = (name: string, value: string) => {
    if (isAsciiValue(value)) {
      collected.push(name, value)
      return
    }
    hasControlCharacter ||= encodeHeaderValue(value) === undefined
    collected.push(name, Buffer.from(value).toString('latin1'))
  }
  return (req) => {
    const headers: HeaderPairs = []
    collected = headers
    hasControlCharacter = false
    req.forEach(collect)
    // Without a question mark uWS returns `undefined`.
    const query = req.getQuery()
    return {
      method: req.getCaseSensitiveMethod(),
      path: escapeRawText(req.getUrl()),
      query: escapeRawText(query ?? ''),
      hasEmptyQuery: query === '' ? true : undefined,
      headers,
      hasControlCharacter,
    }
  }
}
