import { utf8Bytes } from '@turnpike/core'

/** Makes text fit for a request line: what may not stand there is percent-encoded as UTF-8 (RFC 3986, 2 and 3.3). */

const unfit = {
  path: /[^\w!$%&'()*+,\-./:;=@[\]~]+/g,
  query: /[^\w!$%&'()*+,\-./:;=?@[\]\\^`{|}~]+/g,
}

/** Escapes that are there stay as they are. In a query only what would break the line is encoded. */
export function percentEncode(text: string, part: keyof typeof unfit): string {
  return text.replace(unfit[part], encoded)
}

function encoded(text: string): string {
  let out = ''
  for (const byte of utf8Bytes(text)) out += `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`
  return out
}
