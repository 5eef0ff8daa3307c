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
  /** The request has `Connection: keep-alive`, which HTTP/1.0 needs. */
  wantsKeepAlive = false
  /** The request has `Connection: upgrade`, which names the header Upgrade. */
  wantsUpgrade = false
  /** The request has `Expect: 100-continue`. */
  expectsContinue = false

  /** Sets the fields from a request's headers. Returns an error response if the request must be rejected. */
  read(headers: HeaderPairs): ErrorResponse | undefined {
    let length: string | undefined
    let encoding: string | undefined
    this.host = undefined
    this.wantsClose = false
    this.wantsKeepAlive = false
    this.wantsUpgrade = false
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
          if (name !== 'connection') break
          if (hasOption(headers[i + 1] as string, 'close')) this.wantsClose = true
          if (hasOption(headers[i + 1] as string, 'keep-alive')) this.wantsKeepAlive = true
          if (hasOption(headers[i + 1] as string, 'upgrade')) this.wantsUpgrade = true
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
    if (this.host !== undefined && !isHost(this.host)) return errorResponses.badHost
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

/** Returns true if the text consists of characters of a host with an optional port. */
export function isHost(text: string): boolean {
  return validHost.test(text)
}

/** Returns true if a Connection header contains the option `close`. */
export function namesClose(value: string): boolean {
  return hasOption(value, 'close')
}

/** Returns true if a Connection header contains this option, which is in lower case. */
export function hasOption(value: string, option: string): boolean {
  if (value === option) return true
  if (value === 'keep-alive' || value === 'close') return false
  return value
    .toLowerCase()
    .split(',')
    .some((one) => one.trim() === option)
}
