/** Makes the headers of an answer as Node takes them. */
import type { HeaderPairs, Log } from '@turnpike/core'
import { isOwnHeader } from '../front-end-common/answer-head.ts'
import { namesClose } from '../front-end-common/framing.ts'
import { isHeaderName, wireValue } from '../front-end-common/header-text.ts'

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
