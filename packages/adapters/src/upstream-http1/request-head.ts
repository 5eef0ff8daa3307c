/**
 * The head of a request as one text, one character for each byte, so that it goes out in one call. Framing belongs to
 * this client alone, as in `sendable.ts`; what could break a line is never sent.
 */
import type { HeaderPairs, UpstreamRequest } from '@turnpike/core'
import { encodeForWire, isFraming } from '../upstream-common/sendable.ts'
import { isPathText, isToken, isValueText } from './byte-classes.ts'
import { KeptText } from './kept-text.ts'

/** How the body is told: its length, `chunked`, or nothing since there is none. */
export type BodyFraming = number | 'chunked' | 'none'

export interface RequestHead {
  /** Request line and header lines with the empty line at the end. */
  readonly text: string
  /** The upstream was asked to close the connection. */
  readonly closes: boolean
}

/**
 * The head; `undefined` when something in it must not be sent. What cannot go out as it is but has a form that can,
 * characters beyond one byte, is put into that. `authority` is told where the headers name no host; `trailerNames` are
 * announced for a chunked body.
 */
export function requestHead(
  { method, path, headers }: Pick<UpstreamRequest, 'method' | 'path' | 'headers'>,
  framing: BodyFraming,
  authority: string,
  trailerNames?: string,
): RequestHead | undefined {
  const plain = headOf(method, path, headers, framing, authority, trailerNames)
  if (plain !== undefined) return plain
  const encoded = encodeForWire(path, headers)
  return headOf(method, encoded.path, encoded.headers, framing, authority, trailerNames)
}

// Names that most requests have: looked up in less time than looking at their characters takes.
const usual = new Set(
  `accept accept-encoding accept-language authorization cache-control content-type cookie origin referer user-agent
  x-forwarded-for x-request-id`.split(/\s+/),
)

function headOf(
  method: string,
  path: string,
  headers: HeaderPairs,
  framing: BodyFraming,
  authority: string,
  trailerNames: string | undefined,
): RequestHead | undefined {
  if (!isToken(method) || !isPathText(path)) return undefined
  // After HEAD nothing may follow, since some servers send the body all the same.
  let closes = method === 'HEAD'
  let lines = ''
  let place = 0
  let host: string | undefined
  let tellsTe = false
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (isFraming(name)) {
      if (name === 'connection' && value.toLowerCase() === 'close') closes = true
      continue
    }
    // TE is for this connection alone, and has to say so (RFC 9110, 10.1.4).
    if (name === 'te') tellsTe = true
    if (name === 'host') {
      // Two of them would be two stories about where the request goes.
      if (host !== undefined) return undefined
      host = value
      continue
    }
    const line = lineAt(place++).of(name, value)
    if (line === undefined) return undefined
    lines += line
  }
  const kept = closes ? 'close' : 'keep-alive'
  const connection = tellsTe ? `${kept}, te` : kept
  const start = starts.of(host ?? authority, connection)
  if (start === undefined) return undefined
  return { text: `${method} ${path}${start}${lines}${framed(method, framing, trailerNames)}\r\n`, closes }
}

/** From the target's end to the first line of the client's. */
const starts = new KeptText((host, connection) =>
  isValueText(host) ? ` HTTP/1.1\r\nhost: ${host}\r\nconnection: ${connection}\r\n` : undefined,
)

/** Lines by their place in the head, made as places are asked for. */
const keptLines: KeptText[] = []

function lineAt(place: number): KeptText {
  const known = keptLines[place]
  if (known !== undefined) return known
  const made = new KeptText((name, value) =>
    isValueText(value) && (usual.has(name) || isToken(name)) ? `${name}: ${value}\r\n` : undefined,
  )
  keptLines[place] = made
  return made
}

function framed(method: string, framing: BodyFraming, trailerNames: string | undefined): string {
  if (framing === 'chunked') {
    const announced = trailerNames === undefined ? '' : `trailer: ${trailerNames}\r\n`
    return `transfer-encoding: chunked\r\n${announced}`
  }
  // A length of nothing is told only where a body would be expected (RFC 9110, 8.6).
  if (framing === 'none') return expectsBody(method) ? 'content-length: 0\r\n' : ''
  return `content-length: ${framing}\r\n`
}

/** Whether a request with this method usually has a body, so that every server reads it (RFC 9110, 9.3). */
export function expectsBody(method: string): boolean {
  switch (method) {
    case 'POST':
    case 'PUT':
    case 'PATCH':
    case 'QUERY':
    case 'PROPFIND':
    case 'PROPPATCH':
      return true
    default:
      return false
  }
}
