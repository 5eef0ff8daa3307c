/** How the echo upstream responds: as the query parameters say, otherwise with the echo. */
import type { ServerResponse } from 'node:http'
import type { Echo } from './echo-of.ts'

const pieceSize = 65_536
const piece = Buffer.alloc(pieceSize, 'x')

/** Writes the response that the query orders; `echo` is only asked when no other body is ordered. */
export function writeResponse(response: ServerResponse, query: URLSearchParams, echo: () => Echo): void {
  const delayMs = numberOf(query, 'delay') ?? 0
  if (delayMs > 0) setTimeout(write, delayMs)
  else write()

  function write(): void {
    if (response.destroyed) return
    const status = numberOf(query, 'status') ?? 200
    const size = query.has('body') ? undefined : numberOf(query, 'bytes')
    const body = query.get('body') ?? (size === undefined ? JSON.stringify(echo()) : '')
    const length = size ?? Buffer.byteLength(body)
    const mayHaveBody = response.req.method !== 'HEAD' && status !== 204 && status !== 304
    response.writeHead(status, headersOf(query, status === 204 || status === 304 ? undefined : length))
    if (!mayHaveBody) response.end()
    else if (query.has('break')) breakOff(response, body, length, numberOf(query, 'break') ?? 0)
    else if (size === undefined) response.end(body)
    else fill(response, size, () => response.end())
  }
}

// Flat pairs, because the query may set a header twice. Headers of the query replace the default ones.
function headersOf(query: URLSearchParams, length: number | undefined): string[] {
  const headers: string[] = []
  const ordered = new Set<string>()
  for (const text of query.getAll('header')) {
    const colon = text.indexOf(':')
    const name = colon < 0 ? text : text.slice(0, colon)
    ordered.add(name.toLowerCase())
    headers.push(name, colon < 0 ? '' : text.slice(colon + 1))
  }
  if (!ordered.has('content-type')) headers.push('Content-Type', query.get('type') ?? 'application/json')
  const framed = ordered.has('content-length') || ordered.has('transfer-encoding')
  if (!framed && length !== undefined) headers.push('Content-Length', String(length))
  return headers
}

/** Closes the connection after this many bytes of the body, fewer than the head announced. */
function breakOff(response: ServerResponse, body: string, length: number, at: number): void {
  const cut = () => response.socket?.destroySoon()
  const bytes = Math.min(at, length)
  if (body !== '') response.write(Buffer.from(body).subarray(0, bytes), cut)
  else if (bytes > 0) fill(response, bytes, cut)
  else response.flushHeaders()
  if (bytes === 0) setImmediate(cut)
}

/** Writes `size` bytes, no faster than the connection takes them. */
function fill(response: ServerResponse, size: number, done: () => void): void {
  let left = size
  const next = (): void => {
    while (left > 0 && !response.destroyed) {
      const chunk = left >= pieceSize ? piece : piece.subarray(0, left)
      left -= chunk.length
      if (response.write(chunk) || left === 0) continue
      response.once('drain', next)
      return
    }
    done()
  }
  next()
}

function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  const value = text === null || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}
