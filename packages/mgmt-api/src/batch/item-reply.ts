/** The reply to one item in the body of a batch response. */
import { canonicalName, type GatewayResponse } from '@turnpike/core/http'
import { utf8Text } from '@turnpike/core/lib'

export interface Reply {
  readonly relative_url: string
  readonly code: number
  readonly headers: Readonly<Record<string, readonly string[]>> | null
  readonly body: string
}

/** The recorded reply to an item that got no response, such as one with an invalid header or a redirect to another host. */
export const failedReply: Reply = { relative_url: '', code: 0, headers: null, body: '' }

/** `relativeUrl`: as the caller wrote it. `body`: the complete body as text. */
export function replyOf(
  relativeUrl: string,
  { status, headers }: Pick<GatewayResponse, 'status' | 'headers'>,
  body: string,
): Reply {
  // No prototype, so that a header may have any name.
  const lists: Record<string, string[]> = Object.create(null)
  for (let i = 0; i < headers.length; i += 2) {
    const name = canonicalName(headers[i] as string)
    lists[name] ??= []
    lists[name].push(headerText(headers[i + 1] as string))
  }
  return { relative_url: relativeUrl, code: status, headers: lists, body }
}

/** Inside the gateway each character of a header is one byte; in JSON the bytes are decoded as UTF-8. */
function headerText(value: string): string {
  if (!/[^\0-\x7f]/.test(value)) return value
  // A character above 255 comes from a stage that set text instead of bytes.
  return /[^\0-\xff]/.test(value) ? value : utf8Text(Buffer.from(value, 'latin1'))
}
