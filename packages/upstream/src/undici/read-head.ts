/** Parses response headers from the raw buffers of undici, which avoids building a headers object. */
import { type HeaderPairs, trimSpaces } from '@turnpike/core/http'
import { headerName } from '../shared/header-names.ts'
import { isGzip, type ResponseHead } from '../shared/response-head.ts'

/**
 * Parses raw header lines. Values are decoded as latin1, so that no byte is lost. `closes`: the upstream closes the
 * connection after this response.
 */
export function readHead(status: number, raw: readonly Buffer[]): ResponseHead & { readonly closes: boolean } {
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
  return { status, headers, length, chunked: length === undefined, gzipped, closes }
}

/** Parses raw trailer lines. undici does not trim their values. */
export function readPairs(raw: readonly Buffer[]): HeaderPairs {
  return raw.map((bytes, i) => (i % 2 === 0 ? headerName(bytes) : trimSpaces(bytes.toString('latin1'))))
}
