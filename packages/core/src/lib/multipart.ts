/**
 * Parses `multipart/form-data` (RFC 7578). Anything that two parsers could read differently is a problem: text before the
 * first boundary, lines that do not end in CRLF, parts without exactly one name, content transfer encodings.
 */
import { utf8Text } from './text/utf8.ts'

export interface FormPart {
  readonly name: string
  /** Media type in lower case without parameters; `undefined`: the part names none. */
  readonly type: string | undefined
  /** Names and values in turn; names in lower case. */
  readonly headers: string[]
  readonly body: Uint8Array
}

export type Multipart =
  | { readonly parts: readonly FormPart[]; readonly problem?: undefined }
  | { readonly problem: string }

export const multipartType = 'multipart/form-data'

const maxParts = 1_000
const maxHeadBytes = 8 * 1024
const [carriageReturn, lineFeed, dash] = [0x0d, 0x0a, 0x2d]

/** Parses a body. `contentType` is the whole header, which names the boundary. */
export function parseMultipart(body: Uint8Array, contentType: string): Multipart {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return { problem: 'the boundary is missing or invalid' }
  const delimiter = bytesOf(`\r\n--${boundary}`)
  // The first delimiter may lack the line break.
  let at = matches(body, 0, delimiter.subarray(2)) ? delimiter.length - 2 : 0
  if (at === 0 && !matches(body, 0, delimiter)) return { problem: 'the body does not begin with the boundary' }
  at ||= delimiter.length
  const parts: FormPart[] = []
  while (!isEnd(body, at)) {
    if (body[at] !== carriageReturn || body[at + 1] !== lineFeed) return { problem: 'a boundary does not end its line' }
    const end = indexOf(body, delimiter, at)
    if (end === -1) return { problem: 'the last boundary is missing' }
    const part = partIn(body.subarray(at + 2, end))
    if (typeof part === 'string') return { problem: part }
    if (parts.push(part) > maxParts) return { problem: `there are more than ${maxParts} parts` }
    at = end + delimiter.length
  }
  return { parts }
}

function boundaryOf(contentType: string): string | undefined {
  const found = [...contentType.matchAll(/;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]*))/gi)]
  const boundary = found[0]?.[1] ?? found[0]?.[2] ?? ''
  return found.length === 1 && /^[\w'()+,./:=? -]{1,70}$/.test(boundary) && !boundary.endsWith(' ')
    ? boundary
    : undefined
}

/** Whether the delimiter before `at` is the last one. Only a line break may follow. */
function isEnd(body: Uint8Array, at: number): boolean {
  if (body[at] !== dash || body[at + 1] !== dash) return false
  const rest = body.length - at - 2
  return rest === 0 || (rest === 2 && body[at + 2] === carriageReturn && body[at + 3] === lineFeed)
}

function partIn(bytes: Uint8Array): FormPart | string {
  const blank = indexOf(bytes.subarray(0, maxHeadBytes), bytesOf('\r\n\r\n'), 0)
  if (blank === -1) return 'a part has no headers, or too long ones'
  const headers = new Map<string, string>()
  for (const line of utf8Text(bytes.subarray(0, blank)).split('\r\n')) {
    const [, name = '', value = ''] = /^([\w-]+):[ \t]*(.*)$/s.exec(line) ?? []
    if (name === '' || /[\r\n]/.test(line) || headers.has(name.toLowerCase())) return 'a part has an invalid header'
    headers.set(name.toLowerCase(), value)
  }
  if (headers.has('content-transfer-encoding')) return 'a part has a content transfer encoding'
  const name = nameIn(headers.get('content-disposition') ?? '')
  if (name === undefined) return 'a part has no name, or several'
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  return { name, type, headers: [...headers].flat(), body: bytes.subarray(blank + 4) }
}

const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/** Browsers escape only quotes and line breaks (WHATWG HTML, multipart/form-data encoding algorithm). */
function nameIn(disposition: string): string | undefined {
  if (!/^form-data[ \t]*;/i.test(disposition) || disposition.includes('\\')) return undefined
  const unquoted = disposition.replaceAll(/"[^"]*"/g, '""')
  if (/[;\s]name\*/i.test(unquoted) || unquoted.match(/[;\s]name[ \t]*=/gi)?.length !== 1) return undefined
  const outside = disposition.split(/("[^"]*")/)
  const before = outside.findIndex((text) => /[;\s]name[ \t]*=[ \t]*$/i.test(text))
  const quoted = before === -1 ? undefined : outside[before + 1]
  const name = quoted?.slice(1, -1) ?? /[;\s]name[ \t]*=[ \t]*([^\s;"]+)/i.exec(unquoted)?.[1]
  return name?.replaceAll(/%22|%0D|%0A/g, (code) => escapes[code] as string)
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function matches(body: Uint8Array, at: number, bytes: Uint8Array): boolean {
  return bytes.every((byte, i) => body[at + i] === byte)
}

/** Only the first byte of `bytes` is a carriage return or repeats after it, so the search is linear. */
function indexOf(body: Uint8Array, bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    at = body.indexOf(bytes[0] as number, at)
    if (at === -1) return -1
    if (matches(body, at, bytes)) return at
  }
}
