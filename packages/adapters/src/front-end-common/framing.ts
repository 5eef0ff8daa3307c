/**
 * Reads from the headers how a request's body is delimited, and refuses what could be read in two ways (RFC 9112, 6.3).
 * Both front ends call it although their parsers look as well: one of them takes two Content-Length lines and any
 * Transfer-Encoding. The result object is reused, so that a request costs one loop and no allocation.
 */
import type { HeaderPairs } from '@turnpike/core'
import { type Refusal, refusals } from './refusal.ts'

export class Framing {
  /** Bytes of the body; `undefined` when chunked; 0 when there is none. */
  bodyLength: number | undefined = 0
  /** A header said how long the body is, be it 0. */
  lengthTold = false
  /** The Host line, `undefined` when there is none. */
  host: string | undefined = undefined
  /** The client asked to close the connection after the answer. */
  wantsClose = false
  /** The client waits for `100 Continue` before it sends the body. */
  expectsContinue = false

  /** Fills the fields from a request's headers, or tells why the request is refused. */
  read(headers: HeaderPairs): Refusal | undefined {
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
          if (this.host !== undefined) return refusals.badHost
          this.host = headers[i + 1] as string
          break
        case 6:
          if (name !== 'expect') break
          if ((headers[i + 1] as string).toLowerCase() !== '100-continue') return refusals.expectation
          this.expectsContinue = true
          break
        case 10:
          if (name === 'connection' && namesClose(headers[i + 1] as string)) this.wantsClose = true
          break
        case 14:
          if (name !== 'content-length') break
          if (length !== undefined) return refusals.twoLengths
          length = headers[i + 1] as string
          break
        case 17:
          if (name !== 'transfer-encoding') break
          if (encoding !== undefined) return refusals.badEncoding
          encoding = headers[i + 1] as string
          break
      }
    }
    if (this.host !== undefined && !validHost.test(this.host)) return refusals.badHost
    return this.setLength(length, encoding)
  }

  private setLength(length: string | undefined, encoding: string | undefined): Refusal | undefined {
    this.bodyLength = 0
    this.lengthTold = length !== undefined || encoding !== undefined
    if (encoding !== undefined) {
      if (length !== undefined) return refusals.lengthBesideEncoding
      if (encoding.toLowerCase() !== 'chunked') return encoding === '' ? refusals.badEncoding : refusals.unknownEncoding
      this.bodyLength = undefined
    } else if (length !== undefined) {
      // Fifteen digits stay exact as a number, and no body is a petabyte long.
      if (!wholeNumber.test(length)) return refusals.badLength
      this.bodyLength = Number(length)
    }
    return undefined
  }
}

const wholeNumber = /^\d{1,15}$/
// reg-name, IPv4 or bracketed IPv6 with a port (RFC 3986, 3.2.2): above all no space, slash, `@`, `?` or `#`.
const validHost = /^[\w.\-~:%!$&'()*+,;=[\]]*$/

/** Whether a Connection header names the option `close`. */
export function namesClose(value: string): boolean {
  if (value === 'keep-alive') return false
  if (value === 'close') return true
  return value
    .toLowerCase()
    .split(',')
    .some((option) => option.trim() === 'close')
}
