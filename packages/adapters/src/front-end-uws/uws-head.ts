/** Writes the head of an answer to uWS. */
import type { HeaderPairs, Log } from '@turnpike/core'
import { isOwnHeader } from '../front-end-common/answer-head.ts'
import { namesClose } from '../front-end-common/framing.ts'
import { isHeaderName, isPlainValue, wireValue } from '../front-end-common/header-text.ts'
import { statusText } from '../front-end-common/status-text.ts'
import type { UwsResponse } from './uws-binding.ts'

/** What the headers said about framing; none of it was written. */
export interface HeadFacts {
  /** The value of Content-Length. */
  readonly length: string | undefined
  /** `Connection: close` was among them. */
  readonly close: boolean
}

const silent: HeadFacts = { length: undefined, close: false }

/** Writes status and headers, but for those of framing, and the date, which uWS writes itself. */
export function writeHead(res: UwsResponse, status: number, headers: HeaderPairs, log: Log): HeadFacts {
  let length: string | undefined
  let close = false
  // uWS writes this one by itself.
  if (status !== 200) res.writeStatus(statusText(status))
  // All headers in one call: each call over to uWS costs as much as the lines of several headers.
  let first = ''
  let block = ''
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (name === 'date') continue
    if (isOwnHeader(name)) {
      if (name === 'content-length') length = value
      else if (name === 'connection' && namesClose(value)) close = true
    } else if (!isPlainValue(value) || !isHeaderName(name)) writeUnusual(res, name, value, log)
    else if (first === '') {
      first = name
      block = value
    } else block += `\r\n${name}: ${value}`
  }
  if (first !== '') res.writeHeader(first, block)
  return length === undefined && !close ? silent : { length, close }
}

function writeUnusual(res: UwsResponse, name: string, value: string, log: Log): void {
  const wire = wireValue(value)
  if (wire !== undefined && isHeaderName(name)) res.writeHeader(name, Buffer.from(wire, 'latin1'))
  else log.warn('left out a header that would break the answer', { header: name })
}
