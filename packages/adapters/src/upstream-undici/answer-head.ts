/** The head of an answer, read from the raw bytes that undici hands over, so that no header object is built. */
import type { HeaderPairs } from '@turnpike/core'
import { headerName } from '../upstream-common/header-names.ts'

export interface AnswerHead {
  readonly status: number
  readonly headers: HeaderPairs
  /** As told by Content-Length. */
  readonly length: number | undefined
  readonly gzipped: boolean
  /** The upstream closes the connection after this answer. */
  readonly closes: boolean
}

/** Reads status and raw header lines. Values are taken as Latin-1: one character is one byte, so none is lost. */
export function readHead(status: number, raw: readonly Buffer[]): AnswerHead {
  const headers: HeaderPairs = new Array(raw.length)
  let length: number | undefined
  let gzipped = false
  let closes = false
  for (let i = 0; i < raw.length; i += 2) {
    const name = headerName(raw[i] as Buffer)
    const bytes = raw[i + 1] as Buffer
    const value = bytes.toString('latin1')
    headers[i] = name
    headers[i + 1] = value
    if (name === 'content-length') length = Number(value)
    else if (name === 'content-encoding') gzipped = isGzip(value)
    else if (name === 'connection') closes = value.toLowerCase() === 'close'
  }
  return { status, headers, length, gzipped, closes }
}

/** Raw lines alone, as trailers come: with the blanks that end them. */
export function readPairs(raw: readonly Buffer[]): HeaderPairs {
  return raw.map((bytes, i) => (i % 2 === 0 ? headerName(bytes) : bytes.toString('latin1').replace(/[\t ]+$/, '')))
}

function isGzip(coding: string): boolean {
  const lower = coding.toLowerCase()
  return lower === 'gzip' || lower === 'x-gzip'
}
