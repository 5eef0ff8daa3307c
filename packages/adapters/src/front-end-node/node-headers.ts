/** Converts request headers from Node's form and response headers to it. */
import type { HeaderPairs } from '@turnpike/core/http'
import { type Log, silentLog } from '@turnpike/core/ports'
import { namesClose } from '../front-end-common/framing.ts'
import { encodeHeaderValue, isHeaderName } from '../front-end-common/header-validation.ts'
import { isFramingHeader } from '../front-end-common/response-head.ts'

/** Returns Node's flat list of names and values with lower-case names. */
export function toHeaderPairs(raw: readonly string[]): HeaderPairs {
  const pairs: HeaderPairs = new Array(raw.length)
  for (let i = 0; i < raw.length; i += 2) {
    pairs[i] = (raw[i] as string).toLowerCase()
    pairs[i + 1] = raw[i + 1] as string
  }
  return pairs
}

/** Returns the trailers with a valid name and value. */
export function writableTrailers(trailers: HeaderPairs): HeaderPairs {
  return writableHeaders(trailers, false, silentLog).head
}

/**
 * Returns the headers to write, without framing headers, and with `connection: close` if `closes` is true or the response
 * has it. `length` is the response's Content-Length.
 */
export function writableHeaders(
  headers: HeaderPairs,
  closes: boolean,
  log: Log,
): { head: string[]; length: string | undefined } {
  const head: string[] = []
  let length: string | undefined
  let close = closes
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const given = headers[i + 1] as string
    if (isFramingHeader(name)) {
      if (name === 'content-length') length = given
      else if (name === 'connection' && namesClose(given)) close = true
      continue
    }
    const value = encodeHeaderValue(given)
    if (value !== undefined && isHeaderName(name)) head.push(name, value)
    else log.warn('dropped a response header that is not valid', { header: name })
  }
  if (close) head.push('connection', 'close')
  return { head, length }
}
