/** Writes status and headers of a response to uWS. */
import type { HeaderPairs } from '@turnpike/core/http'
import type { Log } from '@turnpike/core/ports'
import { namesClose } from '../front-end-common/framing.ts'
import { encodeHeaderValue, isAsciiValue, isHeaderName } from '../front-end-common/header-validation.ts'
import { isFramingHeader } from '../front-end-common/response-head.ts'
import { statusText } from '../front-end-common/status-text.ts'
import type { UwsResponse } from './uws-binding.ts'

/** Framing headers of a response, which `writeHead` does not write. */
export interface FramingHeaders {
  /** The value of Content-Length. */
  readonly length: string | undefined
  /** The headers contain `Connection: close`. */
  readonly close: boolean
}

const noFramingHeaders: FramingHeaders = { length: undefined, close: false }

/** Writes the status and all headers except framing headers and Date, which uWS writes itself. */
export function writeHead(res: UwsResponse, status: number, headers: HeaderPairs, log: Log): FramingHeaders {
  let length: string | undefined
  let close = false
  // uWS writes status 200 by default.
  if (status !== 200) res.writeStatus(statusText(status))
  // One call with all headers as the value of the first, because a call to uWS costs as much as several header lines.
  let first = ''
  let block = ''
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (name === 'date') continue
    if (isFramingHeader(name)) {
      if (name === 'content-length') length = value
      else if (name === 'connection' && namesClose(value)) close = true
    } else if (!isAsciiValue(value) || !isHeaderName(name)) writeNonAscii(res, name, value, log)
    else if (first === '') {
      first = name
      block = value
    } else block += `\r\n${name}: ${value}`
  }
  if (first !== '') res.writeHeader(first, block)
  return length === undefined && !close ? noFramingHeaders : { length, close }
}

function writeNonAscii(res: UwsResponse, name: string, value: string, log: Log): void {
  const encoded = encodeHeaderValue(value)
  if (encoded !== undefined && isHeaderName(name)) res.writeHeader(name, Buffer.from(encoded, 'latin1'))
  else log.warn('dropped a response header that is not valid', { header: name })
}
