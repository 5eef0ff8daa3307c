import { type GatewayResponse, type HeaderPairs, utf8Bytes, utf8Text } from '@turnpike/core'
/**
 * A reply as JSON text: `{"relative_url","code","headers":{Name:[values]},"body"}`. Written by hand: the shape is
 * fixed, the names of headers come again and again, and JSON.stringify of a text alone is native.
 */

/** What an item that got no answer at all leaves, as recorded: a header that cannot be sent, a redirect to elsewhere. */
export const failedReply = '{"relative_url":"","code":0,"headers":null,"body":""}'

/** Header texts up to which looking for a second line of a name beats keeping a table of names. */
const fewTexts = 60

/**
 * Writes the replies of one batch. Answers of one API have nearly the same headers, so what was written at a place is
 * kept for the next reply.
 */
export class ReplyWriter {
  private readonly pairs: string[] = []
  private readonly texts: string[] = []

  /**
   * The reply of an answer whose body is there. Bodies are text: what is no UTF-8 becomes U+FFFD, as recorded.
   * `relativeUrl`: as the caller wrote it.
   */
  write(relativeUrl: string, { status, headers }: Pick<GatewayResponse, 'status' | 'headers'>, body: string): string {
    return `{"relative_url":${textOf(relativeUrl)},"code":${status},"headers":${this.headers(headers)},"body":${JSON.stringify(body)}}`
  }

  /** Header lines of one name become one list, in the order they came. */
  private headers(headers: HeaderPairs): string {
    if (headers.length > fewTexts || namesTwice(headers)) return groupedText(headers)
    const { pairs, texts } = this
    let text = ''
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i] as string
      const value = headers[i + 1] as string
      if (pairs[i] !== name || pairs[i + 1] !== value) {
        pairs[i] = name
        pairs[i + 1] = value
        texts[i >> 1] = `${i > 0 ? ',' : ''}${nameText(name)}:[${valueText(value)}]`
      }
      text += texts[i >> 1]
    }
    return `{${text}}`
  }
}

function namesTwice(headers: HeaderPairs): boolean {
  for (let i = 2; i < headers.length; i += 2) {
    for (let k = 0; k < i; k += 2) if (headers[k] === headers[i]) return true
  }
  return false
}

function groupedText(headers: HeaderPairs): string {
  const values = new Map<string, string>()
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = valueText(headers[i + 1] as string)
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before},${value}`)
  }
  return `{${[...values].map(([name, list]) => `${nameText(name)}:[${list}]`).join(',')}}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped
const needsEscape = /[\0-\x1f"\\\x7f-\uffff]/
const wide = /[^\0-\x7f]/

/** As JSON; most short texts need no more than quotes. */
function textOf(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Inside the gateway a character of a header is a byte; in JSON it is text, so bytes are read as UTF-8. */
function valueText(value: string): string {
  if (!wide.test(value)) return textOf(value)
  const bytes = new Uint8Array(value.length)
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    // Text that a stage put there as it was, not as bytes.
    if (unit > 0xff) return JSON.stringify(value)
    bytes[i] = unit
  }
  return JSON.stringify(utf8Text(bytes))
}

const nameTexts = new Map<string, string>()
/** Upstreams decide on names, so only so many and no long ones are remembered. */
const mostNames = 1000
const longName = 64

function nameText(name: string): string {
  const known = nameTexts.get(name)
  if (known !== undefined) return known
  const text = JSON.stringify(canonicalName(name))
  if (nameTexts.size < mostNames && name.length <= longName) nameTexts.set(name, text)
  return text
}

/** `x-rate-limit` as `X-Rate-Limit`: how names are written where case is shown. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

/** Length of a text as UTF-8, in bytes. */
export function byteLength(text: string): number {
  return wide.test(text) ? utf8Bytes(text).length : text.length
}
