/** Converts requests to HTTP/2 header fields and response fields back (RFC 9113 section 8). */
import type { OutgoingHttpHeaders } from 'node:http'
import type { HeaderPairs } from '@turnpike/core/http'
import type { UpstreamRequest } from '@turnpike/core/ports'
import { encodeForWire, isFraming } from '../shared/sendable-headers.ts'

/** Fields of HTTP/1.1 connections, which make an HTTP/2 message malformed (RFC 9113 section 8.2.2). */
function isForbidden(name: string, value: string): boolean {
  if (name === 'te') return value !== 'trailers'
  return name === 'proxy-connection' || name === 'http2-settings' || isFraming(name)
}

/** The header fields of a request. `Host` becomes `:authority`. */
export function requestFields(request: UpstreamRequest, scheme: string, authority: string): OutgoingHttpHeaders {
  const { path, headers } = encodeForWire(request.path, request.headers)
  const fields: OutgoingHttpHeaders = Object.create(null)
  fields[':method'] = request.method
  fields[':scheme'] = scheme
  fields[':authority'] = authority
  fields[':path'] = path
  addFields(fields, headers)
  if (request.bodyLength !== undefined && request.body !== undefined) fields['content-length'] = request.bodyLength
  return fields
}

/** The fields of a trailer section. */
export function trailerFields(trailers: HeaderPairs): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = Object.create(null)
  addFields(fields, trailers)
  return fields
}

/** Repeated fields are combined, since node:http2 rejects the repetition of many (RFC 9110 section 5.3). */
function addFields(fields: OutgoingHttpHeaders, pairs: HeaderPairs): void {
  for (let i = 0; i < pairs.length; i += 2) {
    const name = pairs[i] as string
    const value = pairs[i + 1] as string
    if (isForbidden(name, value)) continue
    const target = name === 'host' ? ':authority' : name
    const before = name === 'host' ? undefined : fields[target]
    fields[target] = before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`
  }
}

/** The header fields of a response, without pseudo-header fields, in their original order. */
export function responseHeaders(raw: readonly string[]): HeaderPairs {
  const headers: HeaderPairs = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string
    if (!name.startsWith(':')) headers.push(name, raw[i + 1] as string)
  }
  return headers
}
