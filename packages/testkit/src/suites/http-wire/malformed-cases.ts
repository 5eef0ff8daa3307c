/**
 * Malformed, ambiguous and unusual messages, and the allowed reactions of a front end. Every front end is tested with all
 * of them. `%` means CRLF.
 */
export interface WireCase {
  readonly name: string
  /** The bytes to send, one character per byte. */
  readonly bytes: string
  /** Allowed statuses. An empty list allows only silence or a closed connection. */
  readonly status: readonly number[]
  /**
   * `never`: the handler is not called, and the connection is closed or stays silent.
   * `broken`: the handler may be called, but its body never ends successfully, and the connection is closed.
   * Otherwise the handler is called once, with this body, path, query or host.
   */
  readonly handled:
    | 'never'
    | 'broken'
    | { readonly path?: string; readonly query?: string; readonly body?: string; readonly host?: string }
  /** The front end may also reject the message with any of `status`, a closed connection or silence. */
  readonly mayReject?: true
}

const lines = (text: string) => text.replaceAll('%', '\r\n')
const get = (rest: string) => lines(`GET /x HTTP/1.1%Host: a.test%${rest}%`)
const post = (rest: string, body = '') => lines(`POST /x HTTP/1.1%Host: a.test%${rest}%%`) + body
const chunked = (body: string) => lines(`POST /x HTTP/1.1%Host: a.test%Transfer-Encoding: chunked%%`) + lines(body)
const manyHeaders = (count: number) => Array.from({ length: count }, (_, i) => `x-${i}: v%`).join('')

const rejected = [400, 501, 505]
const never = (name: string, bytes: string, status: readonly number[] = rejected): WireCase => ({
  name,
  bytes,
  status,
  handled: 'never',
})
const served = (name: string, bytes: string, handled: Exclude<WireCase['handled'], string> = {}): WireCase => ({
  name,
  bytes,
  status: [200],
  handled,
})
const maybe = (name: string, bytes: string, handled: Exclude<WireCase['handled'], string> = {}): WireCase => ({
  ...served(name, bytes, handled),
  status: [200, ...rejected],
  mayReject: true,
})
const broken = (name: string, body: string): WireCase => ({
  ...never(`chunks: ${name}`, chunked(body), [400]),
  handled: 'broken',
})

export const wireCases: readonly WireCase[] = [
  // Lengths
  never('Content-Length twice with equal values', post('Content-Length: 3%Content-Length: 3', 'abc')),
  never('Content-Length twice with different values', post('Content-Length: 3%Content-Length: 5', 'abcde')),
  never('Content-Length twice, zero first', post('Content-Length: 0%Content-Length: 5', 'abcde')),
  never('a list of lengths', post('Content-Length: 3, 3', 'abc')),
  never('a length with a sign', post('Content-Length: +3', 'abc')),
  never('a negative length', post('Content-Length: -3', 'abc')),
  never('a hexadecimal length', post('Content-Length: 0x3', 'abc')),
  never('a length with a letter behind it', post('Content-Length: 3a', 'abc')),
  never('a broken number as length', post('Content-Length: 3.0', 'abc')),
  never('two numbers as length', post('Content-Length: 3 3', 'abc')),
  never('an empty length', post('Content-Length:', 'abc')),
  never('a length over 64 bits', post('Content-Length: 18446744073709551619', 'abc')),
  never('a length of 26 digits', post('Content-Length: 99999999999999999999999999', 'abc')),
  never('a length above 2^53', post('Content-Length: 9007199254740993', 'abc')),
  served('a length with leading zeros', post('Content-Length: 0003', 'abc'), { body: 'abc' }),
  served('the length zero', post('Content-Length: 0'), { body: '' }),
  served('a body on GET', lines('GET /x HTTP/1.1%Host: a.test%Content-Length: 3%%abc'), { body: 'abc' }),

  // Transfer codings
  never('Content-Length before Transfer-Encoding', post('Content-Length: 3%Transfer-Encoding: chunked', lines('0%%'))),
  never('Transfer-Encoding before Content-Length', post('Transfer-Encoding: chunked%Content-Length: 3', lines('0%%'))),
  never('Transfer-Encoding twice', post('Transfer-Encoding: chunked%Transfer-Encoding: chunked', lines('0%%'))),
  never('chunked, then identity', post('Transfer-Encoding: chunked%Transfer-Encoding: identity', lines('0%%'))),
  never('identity as coding', post('Transfer-Encoding: identity', 'abc')),
  never('an unknown coding', post('Transfer-Encoding: xchunked', lines('0%%'))),
  never('gzip before chunked', post('Transfer-Encoding: gzip, chunked', lines('0%%'))),
  never('chunked before gzip', post('Transfer-Encoding: chunked, gzip', lines('0%%'))),
  never('an empty coding', post('Transfer-Encoding:', lines('0%%'))),
  never('a coding behind a vertical tab', post('Transfer-Encoding: \x0bchunked', lines('0%%'))),
  never('a space before the colon of Transfer-Encoding', post('Transfer-Encoding : chunked', lines('0%%'))),
  served('chunked in capitals', post('Transfer-Encoding: CHUNKED', lines('3%abc%0%%')), { body: 'abc' }),
  served('chunks', chunked('3%abc%2%de%0%%'), { body: 'abcde' }),
  served('chunks without any byte', chunked('0%%'), { body: '' }),
  served('chunk sizes with leading zeros and capitals', chunked('000A%0123456789%0%%'), { body: '0123456789' }),

  // Malformed chunks: the handler may be called, but its body never ends successfully
  broken('letters for a size', 'zz%abc%0%%'),
  broken('a negative size', '-3%abc%0%%'),
  broken('a size with a sign', '+3%abc%0%%'),
  broken('a size of 17 digits', 'ffffffffffffffff3%abc%0%%'),
  broken('a size in C notation', '0x3%abc%0%%'),

  // Targets
  never('a fragment', lines('GET /x#top HTTP/1.1%Host: a.test%%')),
  never('a fragment in the query', lines('GET /x?a=b#top HTTP/1.1%Host: a.test%%')),
  never('a control character in the target', lines('GET /x\x01y HTTP/1.1%Host: a.test%%')),
  never('NUL in the target', lines('GET /x\0y HTTP/1.1%Host: a.test%%')),
  never('a tab in the target', lines('GET /x\ty HTTP/1.1%Host: a.test%%')),
  never('DEL in the target', lines('GET /x\x7fy HTTP/1.1%Host: a.test%%')),
  maybe('a byte that is not UTF-8 in the target', lines('GET /x\xffy HTTP/1.1%Host: a.test%%'), { path: '/x%FFy' }),
  maybe('UTF-8 in the target', lines('GET /caf\xc3\xa9 HTTP/1.1%Host: a.test%%'), { path: '/caf%C3%A9' }),
  maybe(
    'UTF-8 in the target, with a body',
    lines('POST /\xc3\xa9?\xc3\xa4 HTTP/1.1%Host: a.test%Content-Length: 3%%abc'),
    { path: '/%C3%A9', query: '%C3%A4', body: 'abc' },
  ),
  never('a space in the target', lines('GET /x y HTTP/1.1%Host: a.test%%')),
  never('a target without a slash', lines('GET x HTTP/1.1%Host: a.test%%')),
  never('an asterisk for a target', lines('OPTIONS * HTTP/1.1%Host: a.test%%')),
  never('CONNECT with an authority', lines('CONNECT a.test:443 HTTP/1.1%Host: a.test:443%%'), [400, 405, 501, 505]),
  never('CONNECT with a path', lines('CONNECT /x HTTP/1.1%Host: a.test%%'), [400, 405, 501]),
  never(
    'CONNECT with a body',
    lines('CONNECT /x HTTP/1.1%Host: a.test%Transfer-Encoding: chunked%%0%%'),
    [400, 405, 501],
  ),
  never('a target with a user', lines('GET http://u:p@b.test/x HTTP/1.1%Host: a.test%%')),
  never('a target of another scheme', lines('GET ftp://b.test/x HTTP/1.1%Host: a.test%%')),
  maybe('a target in absolute form', lines('GET http://b.test:81/x?y=1 HTTP/1.1%Host: a.test%%'), {
    path: '/x',
    query: 'y=1',
    host: 'b.test:81',
  }),
  maybe('an absolute target without a path', lines('GET http://b.test HTTP/1.1%Host: a.test%%'), {
    path: '/',
    host: 'b.test',
  }),
  served('escapes stay as they are', 'GET /x%2Fy%20z?q=%25 HTTP/1.1\r\nHost: a.test\r\n\r\n', {
    path: '/x%2Fy%20z',
    query: 'q=%25',
  }),
  served('dot segments stay as they are', lines('GET /a/../b/./c HTTP/1.1%Host: a.test%%'), { path: '/a/../b/./c' }),
  served('a second question mark belongs to the query', lines('GET /x?a=b?c HTTP/1.1%Host: a.test%%'), {
    path: '/x',
    query: 'a=b?c',
  }),

  // Request lines
  never('HTTP/0.9', lines('GET /x%%'), [400, 505]),
  never('a version that does not exist', lines('GET /x HTTP/1.2%Host: a.test%%'), [400, 505]),
  never('HTTP/2 without TLS', lines('PRI * HTTP/2.0%%SM%%'), [400, 505]),
  never('lower case for the protocol', lines('GET /x http/1.1%Host: a.test%%')),
  never('a method that is no token', lines('G"T /x HTTP/1.1%Host: a.test%%')),
  never('a method with an at sign', lines('G@T /x HTTP/1.1%Host: a.test%%')),
  never('bare line feeds', 'GET /x HTTP/1.1\nHost: a.test\n\n'),
  never('a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  never('noise', 'asdlkfjalskdjf\r\n\r\n'),
  maybe('an empty line in front', lines('%GET /x HTTP/1.1%Host: a.test%%')),
  never(
    'Transfer-Encoding in HTTP/1.0',
    lines('POST /x HTTP/1.0%Host: a.test%Connection: keep-alive%Transfer-Encoding: chunked%%0%%GET /y HTTP/1.0%%'),
  ),
  maybe('HTTP/1.0', lines('GET /x HTTP/1.0%Host: a.test%%')),

  // Headers
  never('no Host', lines('GET /x HTTP/1.1%%')),
  never('two Hosts', lines('GET /x HTTP/1.1%Host: a.test%Host: b.test%%')),
  never('a Host with a space', lines('GET /x HTTP/1.1%Host: a.test b%%')),
  never('a Host with a path', lines('GET /x HTTP/1.1%Host: a.test/b%%')),
  never('a Host with a user', lines('GET /x HTTP/1.1%Host: u@a.test%%')),
  never('a folded header', get('X: a% b%')),
  never('a first header that begins with a space', lines('GET /x HTTP/1.1% Host: a.test%%')),
  never('a header without a colon', get('nonsense%')),
  never('a space before the colon', get('X : a%')),
  never('a header name with a bracket', get('X(y: a%')),
  never('a header name outside of ASCII', get('X\xe4: a%')),
  never('NUL in a header', get('X: a\0b%')),
  never('CR in a header', get('X: a\rb%')),
  never('a control character in a header', get('X: a\x01b%')),
  never('DEL in a header', get('X: a\x7fb%')),
  never('a bare line feed between headers', 'GET /x HTTP/1.1\r\nHost: a.test\nX: 1\r\n\r\n'),
  never('120 headers', get(manyHeaders(120)), [431]),
  never('headers of 70 KB', get(`X: ${'a'.repeat(70_000)}%`), [431]),
  never('an unknown expectation', get('Expect: the-moon%'), [417]),
  served('90 headers', get(manyHeaders(90))),
  served('a header of 50 KB', get(`X: ${'a'.repeat(50_000)}%`)),
  served('spaces and tabs around a value', get('X: \t a \t %')),
  served('an offer of HTTP/2', get('Connection: Upgrade, HTTP2-Settings%Upgrade: h2c%HTTP2-Settings: AAMAAABk%')),
  served(
    'an offer of a web socket',
    get(
      'Connection: Upgrade%Upgrade: websocket%Sec-WebSocket-Version: 13%Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==%',
    ),
  ),
]
