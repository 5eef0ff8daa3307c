/** A response on a connection. The parser is strict, so that a test notices bytes that a lenient client ignores. */
export interface WireResponse {
  readonly status: number
  /** Lower-case name and value, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Trailer lines without changes. */
  readonly trailers: readonly string[]
  /** Whether the body is complete by its framing. */
  readonly complete: boolean
}

/** Returns the first value of a header. `name` is in lower case. */
export function wireHeader(response: Pick<WireResponse, 'headers'> | undefined, name: string): string | undefined {
  return response?.headers.find(([it]) => it === name)?.[1]
}

/**
 * Parses all responses on a connection and skips interim responses with status 100. `methods` are the methods of the
 * requests (default GET), because responses to HEAD have no body. Throws if the bytes are not HTTP.
 */
export function readResponses(text: string, methods: readonly string[] = []): WireResponse[] {
  const responses: WireResponse[] = []
  let rest = text
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no end of head in ${JSON.stringify(rest.slice(0, 200))}`)
    const head = readHead(rest.slice(0, end))
    rest = rest.slice(end + 4)
    if (head.status === 100) continue
    const read = readBody(head, rest, methods[responses.length] ?? 'GET')
    responses.push({ ...head, body: read.body, trailers: read.trailers ?? [], complete: read.complete })
    rest = rest.slice(read.length)
    if (!read.complete) break
  }
  return responses
}

type Head = Pick<WireResponse, 'status' | 'headers'>

interface Body {
  readonly body: string
  readonly length: number
  readonly complete: boolean
  readonly trailers?: readonly string[]
}

function readHead(text: string): Head {
  const [statusLine, ...lines] = text.split('\r\n') as [string, ...string[]]
  const match = /^HTTP\/1\.[01] (\d{3}) /.exec(statusLine)
  if (match === null) throw new Error(`not a status line: ${JSON.stringify(statusLine)}`)
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`not a header: ${JSON.stringify(line)}`)
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return { status: Number(match[1]), headers }
}

function readBody(head: Head, rest: string, method: string): Body {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return { body: '', length: 0, complete: true }
  if (wireHeader(head, 'transfer-encoding') === 'chunked') return readChunks(rest)
  const contentLength = wireHeader(head, 'content-length')
  // Without a length the body ends with the connection (RFC 9112 section 6.3).
  if (contentLength === undefined) return { body: rest, length: rest.length, complete: true }
  const length = Number(contentLength)
  return { body: rest.slice(0, length), length: Math.min(length, rest.length), complete: rest.length >= length }
}

function readChunks(text: string): Body {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) break
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    if (Number.isNaN(size)) throw new Error(`not a chunk size: ${JSON.stringify(text.slice(at, lineEnd))}`)
    const start = lineEnd + 2
    if (size === 0) {
      const end = text.indexOf('\r\n\r\n', lineEnd)
      if (end < 0) break
      const trailers = end < start ? [] : text.slice(start, end).split('\r\n')
      return { body: parts.join(''), length: end + 4, complete: true, trailers }
    }
    parts.push(text.slice(start, start + size))
    if (text.length < start + size + 2) break
    at = start + size + 2
  }
  return { body: parts.join(''), length: text.length, complete: false }
}

/** Returns true if the text contains at least one response and all of them are complete. */
export function hasResponse(text: string, method = 'GET'): boolean {
  try {
    const responses = readResponses(text, [method])
    return responses.length > 0 && responses.every(({ complete }) => complete)
  } catch {
    return false
  }
}
