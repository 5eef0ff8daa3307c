/**
 * Percent-encodes a path for the upstream (docs/reference/routing.md#path-escapes). A path that the client or the target
 * already encoded keeps its escapes, and only characters that RFC 3986 section 3.3 does not allow are encoded.
 */

const plainPath = /^[\w\-.~$&+,/:;=@]*$/
const percentEscape = /%[0-9A-Fa-f]{2}/
/** Everything but unreserved characters and those that paths commonly contain. */
const unusual = /[^\w\-.~$&+,/:;=@]/gu
/** Characters that a path cannot contain. */
const forbidden = /["<>\\^`{|}]|[^\x21-\x7e]/gu

export function escapePath(path: string): string {
  if (plainPath.test(path)) return path
  return path.toWellFormed().replace(percentEscape.test(path) ? forbidden : unusual, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const escaped = encodeURIComponent(character)
  // `encodeURIComponent` leaves ! ' ( ) * unchanged.
  return escaped === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : escaped
}
