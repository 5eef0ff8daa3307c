/**
 * Reads and writes HTTP Archive files, version 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Bodies that are
 * not UTF-8 are written in base64. The format defines the field `encoding` for response bodies only; for request bodies
 * this module uses the custom field `_encoding`.
 */
import type { ClientRequest, ClientResponse, HeaderLines } from './client-messages.ts'
import { utf8Text } from './utf8-text.ts'

/** One request with its response and its time. */
export interface Recorded {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly tookMs: number
  readonly request: ClientRequest
  readonly response: ClientResponse
}

const encode = (bytes: Uint8Array): { text: string; encoding?: 'base64' } => {
  const text = utf8Text(bytes)
  return text === undefined ? { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' } : { text }
}
const decode = (text: string, encoding: unknown) =>
  new Uint8Array(encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text))

const nameValue = (headers: HeaderLines) => headers.map(([name, value]) => ({ name, value }))
const typeOf = (headers: HeaderLines) => headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''

/** Returns the text of a HAR file. `base` is the origin that is put before the URLs of the requests. */
export function writeHar(recorded: readonly Recorded[], base = 'http://gateway.test'): string {
  const entries = recorded.map(({ at, tookMs, request, response }) => {
    const url = new URL(request.url, base)
    const content = encode(response.body)
    const posted = request.body === undefined ? undefined : encode(request.body)
    return {
      startedDateTime: new Date(at).toISOString(),
      time: tookMs,
      request: {
        method: request.method,
        // Not `url.href`, because URL objects resolve dot segments.
        url: base + request.url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: nameValue(request.headers),
        queryString: nameValue([...url.searchParams]),
        ...(posted && {
          postData: {
            mimeType: typeOf(request.headers),
            text: posted.text,
            ...(posted.encoding && { _encoding: posted.encoding }),
          },
        }),
        headersSize: -1,
        bodySize: request.body?.length ?? 0,
      },
      response: {
        status: response.status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: nameValue(response.headers),
        content: { size: response.body.length, mimeType: typeOf(response.headers), ...content },
        redirectURL: response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '',
        headersSize: -1,
        bodySize: response.body.length,
      },
      cache: {},
      timings: { send: 0, wait: tookMs, receive: 0 },
    }
  })
  const log = { version: '1.2', creator: { name: '@turnpike/testkit', version: '1' }, entries }
  return `${JSON.stringify({ log }, null, 2)}\n`
}

/** Thrown for text that is not a valid HAR file. The message names the invalid field. */
export class HarError extends Error {}

/** Reads a HAR file. Throws `HarError` if the text is invalid. */
export function readHar(text: string): Recorded[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new HarError(`the file is not JSON: ${String(cause)}`)
  }
  return listAt(objectAt(parsed, 'log', ''), 'entries', 'log').map((entry, index) =>
    recordedOf(entry, `log.entries[${index}]`),
  )
}

function recordedOf(entry: unknown, place: string): Recorded {
  const request = objectAt(entry, 'request', place)
  const response = objectAt(entry, 'response', place)
  const url = String(request['url'] ?? '')
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(url)?.[1] ?? url
  if (!/^(\/|\?|$)/.test(path)) throw new HarError(`${place}.request.url is not a URL: ${url}`)
  const posted = request['postData'] as { text?: unknown; _encoding?: unknown } | undefined
  const content = response['content'] as { text?: unknown; encoding?: unknown } | undefined
  const status = Number(response['status'])
  if (!Number.isInteger(status)) throw new HarError(`${place}.response.status is not a number`)
  const { startedDateTime, time } = entry as { startedDateTime?: unknown; time?: unknown }
  const at = Date.parse(String(startedDateTime))
  return {
    at: Number.isNaN(at) ? 0 : at,
    tookMs: typeof time === 'number' && time >= 0 ? time : 0,
    request: {
      method: String(request['method'] ?? 'GET'),
      url: path.startsWith('/') ? path : `/${path}`,
      headers: linesAt(request, `${place}.request`),
      body: typeof posted?.text === 'string' ? decode(posted.text, posted._encoding) : undefined,
    },
    response: {
      status,
      headers: linesAt(response, `${place}.response`),
      body: typeof content?.text === 'string' ? decode(content.text, content.encoding) : new Uint8Array(),
    },
  }
}

function linesAt(message: Record<string, unknown>, place: string): HeaderLines {
  return listAt(message, 'headers', place).map((line) => {
    const { name, value } = (line ?? {}) as { name?: unknown; value?: unknown }
    if (typeof name !== 'string') throw new HarError(`${place}.headers has a header without a name`)
    return [name.toLowerCase(), String(value ?? '')] as const
  })
}

function objectAt(from: unknown, name: string, place: string): Record<string, unknown> {
  const value = typeof from === 'object' && from !== null ? (from as Record<string, unknown>)[name] : undefined
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new HarError(`${place === '' ? name : `${place}.${name}`} is missing`)
}

function listAt(from: Record<string, unknown>, name: string, place: string): unknown[] {
  const value = from[name]
  if (!Array.isArray(value)) throw new HarError(`${place}.${name} is not a list`)
  return value
}
