/** Requests in which gateways usually differ: unusual paths, queries, methods, bodies and headers. */
import { type ClientRequest, type HeaderLines, makeRequest, type NamedTrace } from '@turnpike/exchange'

/** Paths below the URL, sent undecoded and with their dot segments. */
const paths: readonly (readonly [label: string, path: string])[] = [
  ['the URL with a path', '/a'],
  ['a slash at the end', '/a/'],
  ['parent segment', '/a/../b'],
  ['parent segment at the end', '/a/..'],
  ['parent segment above the root', '/../../a'],
  ['current segment', '/./a'],
  ['current segment in the middle', '/a/./b'],
  ['encoded dots', '/%2e%2e/a'],
  ['encoded parent segment', '/a/%2E%2E%2Fb'],
  ['two slashes', '//a'],
  ['two slashes in the middle', '/a//b'],
  ['two slashes at the end', '/a//'],
  ['encoded slash', '/a%2Fb'],
  ['encoded slash in lower case', '/a%2fb'],
  ['backslash', '/a\\b'],
  ['encoded backslash', '/a%5Cb'],
  ['encoded space', '/a%20b'],
  ['plus', '/a+b'],
  ['encoded letter', '/%61'],
  ['capital letter', '/A'],
  ['tilde', '/~a'],
  ['encoded tilde', '/%7Ea'],
  ['encoded percent sign', '/a%2541'],
  ['encoded question mark', '/a%3Fb'],
  ['encoded number sign', '/a%23b'],
  ['encoded semicolon', '/a%3Bb'],
  ['path parameter', '/a;b=c/d'],
  ['punctuation', "/a:b@c!$&'()*,="],
  ['characters that should be encoded', '/a|b^c`{}"<>'],
  ['encoded line break', '/a%0D%0Ab'],
  ['encoded null', '/a%00b'],
  ['UTF-8', '/caf%C3%A9'],
  ['bytes that are not UTF-8', '/caf%E9'],
  ['invalid escape', '/%zz'],
  ['escape without digits', '/a%'],
  ['long path', `/${'a'.repeat(2000)}`],
]

const queries: readonly (readonly [label: string, query: string])[] = [
  ['empty query', '?'],
  ['parameter without a value', '?a'],
  ['parameter with an empty value', '?a='],
  ['parameter twice', '?a=1&a=2'],
  ['empty parameter', '?a=1&&b=2'],
  ['encoded ampersand', '?a=1%262'],
  ['plus in a query', '?a=b+c'],
  ['question mark in a query', '?a=b?c'],
  ['brackets', '?a[]=1&a[b]=2'],
  ['UTF-8 in a query', '?a=caf%C3%A9'],
  ['invalid escape in a query', '?a=%zz'],
  ['dot segments in a query', '?a=/../b'],
  ['URL in a query', '?a=http://b/c'],
  ['large query', `?a=${'b'.repeat(4000)}`],
]

const methods = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'BREW']

const json = 'application/json'
const bodies: readonly (readonly [label: string, type: string | undefined, body: string | Uint8Array])[] = [
  ['JSON', json, '{"a":1,"b":"\u00e9"}'],
  ['invalid JSON', json, '{"a":'],
  ['form', 'application/x-www-form-urlencoded', 'a=1&b=%26'],
  ['text', 'text/plain; charset=utf-8', 'a\r\nb\n'],
  ['body without a type', undefined, 'a'],
  ['empty body with a type', json, ''],
  ['bytes that are not UTF-8', 'application/octet-stream', new Uint8Array([0, 0xff, 0x0a, 0x80])],
  ['body of 16 KiB', 'text/plain', 'a'.repeat(16 * 1024)],
]

const headers: readonly (readonly [label: string, lines: HeaderLines])[] = [
  ['header name in mixed case', [['x-MiXeD-cAsE', '1']]],
  ['header with an empty value', [['X-Empty', '']]],
  [
    'header twice',
    [
      ['X-Twice', '1'],
      ['X-Twice', '2'],
    ],
  ],
  ['header name with an underscore', [['X_Under_Score', '1']]],
  ['header name with punctuation', [["X!#$%&'*+.^`|~", '1']]],
  ['long header', [['X-Long', 'a'.repeat(4000)]]],
  ['header value with a tab', [['X-Tab', 'a\tb']]],
  ['header value that is not ASCII', [['X-Latin', 'caf\u00e9']]],
  [
    'cookie twice',
    [
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
    ],
  ],
  ['Accept of an unknown type', [['Accept', 'application/x-unknown']]],
  ['Accept-Encoding', [['Accept-Encoding', 'gzip, br']]],
  ['Accept-Language', [['Accept-Language', 'fr, *;q=0.1']]],
  ['Range', [['Range', 'bytes=0-1']]],
  ['If-None-Match of anything', [['If-None-Match', '*']]],
  ['If-Modified-Since', [['If-Modified-Since', 'Sun, 06 Nov 1994 08:49:37 GMT']]],
  ['Origin', [['Origin', 'http://other.example']]],
  [
    'X-Forwarded headers',
    [
      ['X-Forwarded-For', '192.0.2.1'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Host', 'other.example'],
    ],
  ],
  ['Forwarded', [['Forwarded', 'for=192.0.2.1;proto=https']]],
  ['Via', [['Via', '1.1 other']]],
  ['method override', [['X-HTTP-Method-Override', 'DELETE']]],
  ['Max-Forwards', [['Max-Forwards', '0']]],
]

const preflight: HeaderLines = [
  ['Origin', 'http://other.example'],
  ['Access-Control-Request-Method', 'PUT'],
  ['Access-Control-Request-Headers', 'x-a'],
]

/** One trace of one request for each textbook request. The URLs are relative to those of the gateways. */
export function textbookTraces(): readonly NamedTrace[] {
  const one = (id: string, url: string, more: Partial<ClientRequest> = {}): NamedTrace => ({
    id,
    trace: [{ waitMs: 0, request: makeRequest(url, more) }],
  })
  return [
    one('the URL itself', ''),
    ...paths.map(([label, path]) => one(label, path)),
    ...queries.map(([label, query]) => one(label, query)),
    ...methods.map((method) => one(`method ${method}`, '', { method })),
    one('preflight', '', { method: 'OPTIONS', headers: preflight }),
    ...['GET', 'DELETE', 'OPTIONS'].map((method) =>
      one(`${method} with a body`, '', withBody(method, json, '{"a":1}')),
    ),
    ...['POST', 'PUT', 'PATCH'].flatMap((method) =>
      bodies.map(([label, type, body]) => one(`${method}: ${label}`, '', withBody(method, type, body))),
    ),
    one('Expect', '', {
      ...withBody('POST', json, '{}'),
      headers: [
        ['Content-Type', json],
        ['Expect', '100-continue'],
      ],
    }),
    ...headers.map(([label, lines]) => one(label, '', { headers: lines })),
  ]
}

function withBody(method: string, type: string | undefined, body: string | Uint8Array): Partial<ClientRequest> {
  return {
    method,
    headers: type === undefined ? [] : [['Content-Type', type]],
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}
