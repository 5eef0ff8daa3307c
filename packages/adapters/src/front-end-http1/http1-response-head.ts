/** Builds the head of a response as one latin1 text, so that it is written in one call, together with a short body. */
import type { HeaderPairs } from '@turnpike/core/http'
import type { Log } from '@turnpike/core/ports'
import { type ErrorResponse, errorHeadersOf } from '../front-end-common/error-responses.ts'
import { namesClose } from '../front-end-common/framing.ts'
import { encodeHeaderValue, isHeaderName } from '../front-end-common/header-validation.ts'
import { isFramingHeader } from '../front-end-common/response-head.ts'
import { statusText } from '../front-end-common/status-text.ts'

export interface ResponseHeadText {
  /** Status line and header lines, without those of the framing, without the empty line. */
  readonly text: string
  /** The response's own Content-Length. */
  readonly length: string | undefined
  /** The response has `connection: close`. */
  readonly closes: boolean
}

/** Returns the head, with `Date` unless the response has one. Headers that are not valid are dropped and logged. */
export function responseHeadText(status: number, headers: HeaderPairs, log: Log): ResponseHeadText {
  let text = `HTTP/1.1 ${statusText(status)}\r\n`
  let length: string | undefined
  let closes = false
  let hasDate = false
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const given = headers[i + 1] as string
    if (isFramingHeader(name)) {
      if (name === 'content-length') length = given
      else if (name === 'connection' && namesClose(given)) closes = true
      continue
    }
    const value = encodeHeaderValue(given)
    if (value === undefined || !isHeaderName(name)) {
      log.warn('dropped a response header that is not valid', { header: name })
      continue
    }
    if (name === 'date') hasDate = true
    text += `${name}: ${value}\r\n`
  }
  return { text: hasDate ? text : `${text}Date: ${dateNow()}\r\n`, length, closes }
}

/** An error response after which the connection closes; `isHead`: without its body. */
export function lastResponseText(errorResponse: ErrorResponse, isHead: boolean, log: Log): string {
  const { text } = responseHeadText(errorResponse.status, errorHeadersOf(errorResponse), log)
  const length = Buffer.byteLength(errorResponse.text)
  const head = `${text}Content-Length: ${length}\r\nConnection: close\r\n\r\n`
  return isHead ? head : head + errorResponse.text
}

/** The lines of an interim response, which has neither Date nor framing. */
export function interimHeadText(status: number, headers: HeaderPairs): string {
  return `HTTP/1.1 ${statusText(status)}\r\n${fieldLines(headers)}\r\n`
}

/** The lines of trailers that are valid. */
export function fieldLines(fields: HeaderPairs): string {
  let lines = ''
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string
    const value = encodeHeaderValue(fields[i + 1] as string)
    if (value !== undefined && isHeaderName(name) && !isFramingHeader(name)) lines += `${name}: ${value}\r\n`
  }
  return lines
}

let dateSecond = 0
let date = ''

/** The current time in the form of a Date header, built once per second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(second * 1000).toUTCString()
  }
  return date
}
