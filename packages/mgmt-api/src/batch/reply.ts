/** The reply of one item, as the body of a batch response holds it. */
import { type GatewayResponse, utf8Text } from '@turnpike/core'

export interface Reply {
  readonly relative_url: string
  readonly code: number
  readonly headers: Readonly<Record<string, readonly string[]>> | null
  readonly body: string
}

/** The reply of an item without a response, as recorded: a header that cannot be sent, a redirect to elsewhere. */
export const failedReply: Reply = { relative_url: '', code: 0, headers: null, body: '' }

/** `relativeUrl`: as the caller wrote it. `body`: the whole body as text. */
export function replyOf(
  relativeUrl: string,
  { status, headers }: Pick<GatewayResponse, 'status' | 'headers'>,
  body: string,
): Reply {
  // Without a prototype, a header may have any name.
  const lists: Record<string, string[]> = Object.create(null)
  for (let i = 0; i < headers.length; i += 2) {
    const name = canonicalName(headers[i] as string)
    lists[name] ??= []
    lists[name].push(headerText(headers[i + 1] as string))
  }
  return { relative_url: relativeUrl, code: status, headers: lists, body }
}

/** `x-rate-limit` as `X-Rate-Limit`: how names are written where case is shown. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

/** Inside the gateway a character of a header is a byte; in JSON it is text, so bytes are read as UTF-8. */
function headerText(value: string): string {
  // A character above 255 is text that a stage set, not a byte.
  return /[^\0-\xff]/.test(value) ? value : utf8Text(Buffer.from(value, 'latin1'))
}
