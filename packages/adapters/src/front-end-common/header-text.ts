/**
 * Header lines that are not plain ASCII. Inside the gateway every character of a header stands for one byte (as Node
 * and undici have it); what has a line break or another control character in it must never reach the wire, since it
 * could split an answer in two.
 */
const plain = /^[\t\x20-\x7e]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\0-\x08\x0a-\x1f\x7f]/
const wide = /[^\0-\xff]/
const token = /^[\w!#$%&'*+\-.^`|~]+$/

// Names that most answers have: looked up in a seventh of the time that looking at their characters takes.
const usual = new Set(
  `age cache-control content-disposition content-encoding content-language content-type date etag expires last-modified
  location server set-cookie vary via x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset x-request-id`.split(
    /\s+/,
  ),
)

/** Whether the value can be written as it is, in any encoding. */
export function isPlainValue(value: string): boolean {
  return plain.test(value)
}

/** The value with one character for each byte; `undefined` when it must not be sent. */
export function wireValue(value: string): string | undefined {
  if (plain.test(value)) return value
  if (control.test(value)) return undefined
  return wide.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value
}

/** Whether the name may stand in front of a colon (RFC 9110, 5.1). */
export function isHeaderName(name: string): boolean {
  return usual.has(name) || token.test(name)
}
