/**
 * A grammar of HTTP/1.1 requests (RFC 9112) with wrong alternatives for every rule, as text of one character per byte. The
 * first alternative is right and is chosen most of the time, so that errors also occur deep inside of a request.
 */
import { mostly, mutateText, pick, type Random } from './generate.ts'

const methods = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'CONNECT',
  'PRI',
  'get',
  'G T',
  '',
  'X'.repeat(300),
] as const
const versions = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', 'HTTP/0.9', ''] as const
const lineEnds = ['\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', ''] as const
const segments = [
  'x',
  'free',
  'secret',
  'public',
  'item',
  'svc',
  'batch',
  'oauth',
  'token',
  '..',
  '.',
  '',
  '%2e%2e',
  '%2e',
  '%2f',
  '%2F..%2f',
  '%5c',
  '\\',
  '..\\',
  '%00',
  '%0a',
  '%',
  '%zz',
  '%25',
  '%252e',
  ';',
  ';a=b',
  '{id}',
  'a b',
  '\u00e4',
  '\x01',
  '%c0%ae',
  '%ff',
  's%65cret',
  'SECRET',
  'free%2f..%2fsecret',
  '..;',
  '*',
  '@',
] as const
const hosts = ['a.test', 'a.test:80', '', 'b test', 'a.test, b.test', '@', '[::1]', 'x'.repeat(300)] as const
const fields = [
  'Connection: close',
  'Connection: keep-alive',
  'Connection: x-real-ip, authorization, host',
  'Expect: 100-continue',
  'Expect: y',
  'X-Forwarded-For: 1.1.1.1',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13',
  'Upgrade: h2c\r\nConnection: Upgrade',
  'Authorization: key',
  'Authorization: Basic eA==',
  'Authorization:',
  'X-Http-Method-Override: DELETE',
  'Range: bytes=0-',
  'Accept-Encoding: gzip',
  'Cookie: a=b; c',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: text/xml',
  'Content-Encoding: gzip',
  'X-Api-Version: v2',
  'Te: trailers',
  'Trailer: x',
  'X: a\0b',
  'X: \x7f',
  ' X: a',
  'X : a',
  ': a',
  'X',
  'X:a\r b',
  'If-None-Match: *',
  `X: ${'y'.repeat(9000)}`,
  'Mcp-Session-Id: a',
] as const
const lengths = ['0', '5', '05', '+5', '-1', '5, 5', '0x5', '5 5', '99999999999999999999', '', '4', '6'] as const
const codings = [
  'chunked',
  'Chunked',
  'chunked, chunked',
  'gzip, chunked',
  'identity',
  ' chunked',
  '\x0bchunked',
  'xchunked',
  '',
] as const
const bodies = [
  '{"a":1}',
  '{"a":{"b":["x","<&>\\"",1e3]}}',
  '{"a":',
  '[',
  '[[[[[',
  '{"__proto__":{"a":1}}',
  'a=b&c=%zz',
  '<a><b>x</b></a>',
  '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  '{"query":"{ a { b } }"}',
  '{"requests":[{"method":"GET","relative_url":"../../ruled/secret"}]}',
  '{"requests":[{"relative_url":"//127.0.0.1/secret"}],"suppress_parallel_execution":true}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}',
  'GET /ruled/secret HTTP/1.1\r\nHost: a\r\n\r\n',
  '',
  '\0'.repeat(50),
] as const
const sizes = [
  '5',
  '0',
  '1',
  'a',
  '005',
  'ffffffffffffffffffff',
  '-1',
  '0x5',
  ' 5',
  '',
  'g',
  '5;x',
  '5;x="\r\n"',
] as const
const pieces: readonly string[] = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  ':',
  '/',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  '\r\n\r\n',
  'GET / HTTP/1.1\r\n',
  '%2f',
  '\xff',
]

/** `listenPaths`: beginnings of targets, with slashes at both ends. */
export function wireRequest(random: Random, listenPaths: readonly string[]): string {
  const request = head(random, listenPaths)
  const repeated = random(6) === 0 ? request + head(random, listenPaths) : request
  return random(3) === 0 ? latin1(mutateText(random, repeated, pieces, 3)) : repeated
}

function head(random: Random, listenPaths: readonly string[]): string {
  const end = random(8) === 0 ? pick(random, lineEnds) : '\r\n'
  const rare = <T>(choices: readonly [T, ...T[]]) => (random(8) === 0 ? pick(random, choices) : choices[0])
  const method = random(3) === 0 ? pick(random, methods) : mostly(random, ['GET', 'POST'])
  let text = `${method} ${target(random, listenPaths)} ${rare(versions)}${end}`
  if (random(20) > 0) text += `Host: ${rare(hosts)}${end}`
  for (let i = random(4); i > 0; i--) text += `${pick(random, fields)}${end}`
  if (method === 'GET' && random(4) > 0) return `${text}${end}`
  const body = pick(random, bodies)
  const action = random(8)
  if (action < 4)
    return `${text}Content-Length: ${action === 0 ? pick(random, lengths) : body.length}${end}${end}${body}`
  text += `Transfer-Encoding: ${rare(codings)}${end}`
  if (action === 4) text += `Content-Length: ${pick(random, lengths)}${end}`
  return `${text}${end}${chunks(random, body)}`
}

function target(random: Random, listenPaths: readonly string[]): string {
  let path =
    random(20) === 0
      ? pick(random, [
          '/',
          '//',
          '*',
          'http://b.test/open/x',
          '/hello',
          '/svc/apis',
          '/svc/keys/a',
          '',
          '/\\evil.test',
          '//evil.test/%2e%2e',
        ])
      : pick(random, listenPaths)
  for (let i = random(6); i > 0; i--) path += `${pick(random, segments)}${random(5) === 0 ? '' : '/'}`
  if (random(2) === 0 && path.length > 1) path = path.replace(/\/$/, '')
  return random(3) === 0
    ? `${path}?${pick(random, ['a=b', 'a=%zz', 'check_limits=false&method=DELETE', 'x=%0d%0aSet-Cookie:a', '?', '#f', 'a=../..'])}`
    : path
}

function chunks(random: Random, body: string): string {
  let text = ''
  for (let i = random(3); i > 0; i--) {
    const isRight = random(4) > 0
    const data = body.slice(0, 1 + random(12))
    text += `${isRight ? data.length.toString(16) : pick(random, sizes)}${random(12) === 0 ? pick(random, lineEnds) : '\r\n'}${data}\r\n`
  }
  return `${text}0\r\n${random(8) === 0 ? 'X: y\r\n' : ''}\r\n`
}

function latin1(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
