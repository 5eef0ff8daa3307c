/** What scripts and custom stages may not put into a message. */

const names: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
])
/** One byte per character (RFC 9110, 5.5). */
const value = /^[\t\x20-\x7e\x80-\xff]*$/

/** Returns true for a header of the connection or of the framing, which the gateway sets itself. `name`: lower case. */
export function isSetByGateway(name: string): boolean {
  return names.has(name)
}

/** Returns true if the text has no control characters and none beyond one byte. */
export function isHeaderValue(text: string): boolean {
  return value.test(text)
}
