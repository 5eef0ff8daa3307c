/** Headers as Node has them: those of a request read, those of an answer made. */
import type { HeaderPairs, Log } from '@turnpike/core'
import { isOwnHeader } from '../front-end-common/answer-head.ts'
import { namesClose } from '../front-end-common/framing.ts'
import { isHeaderName, wireValue } from '../front-end-common/header-text.ts'

/** Node's flat list with names in lower case. */
export function pairsOf(raw: readonly string[]): HeaderPairs {
  const pairs: HeaderPairs = new Array(raw.length)
  for (let i = 0; i < raw.length; i += 2) {
    pairs[i] = (raw[i] as string).toLowerCase()
    pairs[i + 1] = raw[i + 1] as string
  }
  return pairs
}

/** The trailers that can be written. */
export function writableTrailers(trailers: HeaderPairs): HeaderPairs {
  const writable: HeaderPairs = []
  for (let i = 0; i < trailers.length; i += 2) {
    const name = trailers[i] as string
    const value = wireValue(trailers[i + 1] as string)
    if (value !== undefined && isHeaderName(name)) writable.push(name, value)
  }
  return writable
}

/**
 * The pairs to write, without those of framing, and with `connection: close` where the connection ends. `length` is
 * what Content-Length said.
 */
export function headOf(
  headers: HeaderPairs,
  ending: boolean,
  log: Log,
): { head: string[]; length: string | undefined } {
  const head: string[] = []
  let length: string | undefined
  let close = ending
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const given = headers[i + 1] as string
    if (isOwnHeader(name)) {
      if (name === 'content-length') length = given
      else if (name === 'connection' && namesClose(given)) close = true
      continue
    }
    const value = wireValue(given)
    if (value !== undefined && isHeaderName(name)) head.push(name, value)
    else log.warn('left out a header that would break the answer', { header: name })
  }
  if (close) head.push('connection', 'close')
  return { head, length }
}
