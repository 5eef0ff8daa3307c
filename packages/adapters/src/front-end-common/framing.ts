/**
 * Determines from the headers where a request's body ends, and rejects ambiguous messages (RFC 9112 section 6.3), which
 * request smuggling exploits. Both front ends need it, because uWebSockets.js accepts two Content-Length lines and any
 * Transfer-Encoding. One `Framing` is reused for all requests of a server to avoid an allocation per request.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import { type ErrorResponse, errorResponses } from './error-responses.ts'

export class Framing {
  /** Bytes of the body; `undefined` if it is chunked; 0 if there is no body. */
  bodyLength: number | undefined = 0
  /** The request has a Content-Length or Transfer-Encoding header, even if the length is 0. */
  hasLengthHeader = false
  /** The Host header; `undefined` if it is missing. */
  host: string | undefined = undefined
  /** The request has `Connection: close`. */
  wantsClose = false
  /** The request has `Expect: 100-continue`. */
  expectsContinue = false

  /** Sets the fields from a request's headers. Returns an error response if the request must be rejected. */
  read(headers: HeaderPairs): ErrorResponse | undefined {
    let length: string | undefined
    let encoding: string | undefined
    this.host = undefined
    this.wantsClose = false
    this.expectsContinue = false
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i] as string
      switch (name.length) {
        case 4:
          if (name !== 'host') break
          if (this.host !== undefined) return errorResponses.badHost
          this.host = headers[i + 1] as string
          break
        case 6:
          if (name !== 'expect') break
          if ((headers[i + 1] as string).toLowerCase() !== '100-continue') return errorResponses.expectation
          this.expectsContinue = true
          break
        case 10:
          if (name === 'connection' && namesClose(headers[i + 1] as string)) this.wantsClose = true
          break
        case 14:
          if (name !== 'content-length') break
          if (length !== undefined) return errorResponses.twoLengths
          length = headers[i + 1] as string
          break
        case 17:
          if (name !== 'transfer-encoding') break
          if (encoding !== undefined) return errorResponses.badEncoding
          encoding = headers[i + 1] as string
          break
      }
    }
    if (this.host !== undefined && !validHost.test(this.host)) return errorResponses.badHost
    return this.setLength(length, encoding)
  }

  private setLength(length: string | undefined, encoding: string | undefined): ErrorResponse | undefined {
    this.bodyLength = 0
    this.hasLengthHeader = length !== undefined || encoding !== undefined
    if (encoding !== undefined) {
      if (length !== undefined) return errorResponses.lengthWithTransferEncoding
      if (encoding.toLowerCase() !== 'chunked')
        return encoding === '' ? errorResponses.badEncoding : errorResponses.unknownEncoding
      this.bodyLength = undefined
    } else if (length !== undefined) {
      // A number represents 15 digits exactly.
      if (!wholeNumber.test(length)) return errorResponses.badLength
      this.bodyLength = Number(length)
    }
    return undefined
  }
}

const wholeNumber = /^\d{1,15}$/
// Characters of a host with an optional port (RFC 3986 section 3.2.2). Space, slash, `@`, `?` and `#` are not allowed.
const validHost = /^[\w.\-~:%!$&'()*+,;=[\]]*$/

/** Returns true if a Connection header contains the option `close`. */
export function namesClose(value: string): boolean {
  if (value === 'keep-alive') return false
  if (value === 'close') return true
  return value
    .toLowerCase()
    .split(',')
    .some((option) => option.trim() === 'close')
}
