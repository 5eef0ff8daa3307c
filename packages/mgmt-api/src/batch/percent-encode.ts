/** Percent-encodes, as UTF-8, the characters that are not allowed in a request line (RFC 3986, sections 2 and 3.3). */
import { utf8Bytes } from '@turnpike/core/lib'

const notAllowed = {
  path: /[^\w!$%&'()*+,\-./:;=@[\]~]+/g,
  query: /[^\w!$%&'()*+,\-./:;=?@[\]\\^`{|}~]+/g,
}

/** Existing escapes stay as they are. In a query only characters that would break the request line are encoded. */
export function percentEncode(text: string, part: keyof typeof notAllowed): string {
  return text.replace(notAllowed[part], encoded)
}

function encoded(text: string): string {
  let out = ''
  for (const byte of utf8Bytes(text)) out += `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`
  return out
}
