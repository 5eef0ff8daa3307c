/** Compares the parser with Node's, on valid responses and on responses with changed bytes. */
import { request } from 'node:http'
import { Duplex } from 'node:stream'
import { fc, test } from '@fast-check/vitest'
import { expect, test as plain } from 'vitest'
import { ResponseParser } from './response-parser.ts'

interface Parsed {
  readonly status: number
  readonly headers: string[]
  readonly body: string
  readonly trailers: string[]
}

const maxHeadBytes = 4096
const whole = () => new ResponseParser(maxHeadBytes)

/** Number of bytes of the last parsed response. */
let used = 0

/** Feeds pieces through one buffer that is overwritten each time, as a connection does, and ends the input. */
function parse(bytes: Buffer, cuts: readonly number[], method = 'GET', make = whole): Parsed | 'broken' {
  const parser = make()
  let parsed: { status: number; headers: string[]; body: string; trailers: string[] } | undefined
  parser.begin(
    {
      onInterim() {},
      onHead({ status, headers }) {
        parsed = { status, headers, body: '', trailers: [] }
      },
      onBody(from, start, end) {
        if (parsed !== undefined) parsed.body += from.toString('latin1', start, end)
        return true
      },
      onTrailers(trailers) {
        if (parsed !== undefined) parsed.trailers = trailers
      },
    },
    method === 'HEAD',
  )
  const shared = Buffer.alloc(bytes.length)
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let before = 0
  for (const place of [...places, bytes.length]) {
    const piece = bytes.subarray(before, place)
    piece.copy(shared)
    const at = parser.feed(shared, 0, piece.length)
    if (at < piece.length) {
      used = before + at
      break
    }
    used = place
    shared.fill(0x58)
    before = place
  }
  return (parser.state === 'done' || parser.finish()) && parsed !== undefined ? parsed : 'broken'
}

/** Parses the same bytes with Node's client. */
function parseWithNode(bytes: Buffer, method = 'GET'): Promise<Parsed | 'broken'> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    const call = request({ method, createConnection: () => socket, maxHeaderSize: 65_536 })
    call.on('error', () => resolve('broken'))
    call.on('upgrade', () => resolve('broken'))
    call.on('response', (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString('latin1')
      })
      response.on('error', () => resolve('broken'))
      response.on('aborted', () => resolve('broken'))
      response.on('end', () => {
        const pairs = (raw: string[]) => raw.map((text, i) => (i % 2 === 0 ? text.toLowerCase() : trimmed(text)))
        const { statusCode: status = 0, rawHeaders, rawTrailers } = response
        resolve({ status, headers: pairs(rawHeaders), body, trailers: pairs(rawTrailers) })
      })
    })
    call.end()
    socket.push(bytes)
    socket.push(null)
  })
}

const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '')

const name = fc.oneof(
  fc.constantFrom('X-A', 'content-type', 'Set-Cookie', 'ETAG', 'Keep-Alive', 'Content-Encoding', 'Date'),
  fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/).filter((text) => !framing.test(text)),
)
const framing = /^(content-length|transfer-encoding|connection|upgrade|trailer|proxy-connection)$/i
const value = fc.oneof(
  fc.constantFrom('', 'gzip', 'timeout=5', 'a b'),
  fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,20}$/),
)
const blanks = fc.constantFrom('', ' ', '  ', '\t')
const line = fc.tuple(name, blanks, value, blanks).map(([n, a, v, b]) => `${n}:${a}${v}${b}\r\n`)
const lines = fc.array(line, { maxLength: 6 }).map((all) => all.join(''))
const body = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
const version = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0')
const reason = fc.constantFrom('', ' ', ' OK', ' Not at all: \xe4')
const extension = fc.constantFrom('', '', ';a', ';a=b', ';a="x;y"')

const chunked = fc.array(fc.tuple(body, extension, fc.nat(3)), { maxLength: 5 }).map((parts) => {
  const chunks = parts.filter(([data]) => data !== '')
  return chunks
    .map(([data, ext, zeros]) => `${'0'.repeat(zeros)}${data.length.toString(16)}${ext}\r\n${data}\r\n`)
    .join('')
})
const framed = fc.oneof(
  body.map((data) => [`Content-Length: ${data.length}\r\n`, data]),
  fc
    .tuple(chunked, lines)
    .map(([chunks, trailers]) => ['Transfer-Encoding: chunked\r\n', `${chunks}0\r\n${trailers}\r\n`]),
  body.map((data) => ['', data]),
)
const status = fc.oneof(fc.constantFrom(200, 204, 304, 404, 500), fc.integer({ min: 200, max: 999 }))
const interim = fc.constantFrom(
  '',
  '',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
)
const response = fc
  .tuple(interim, version, status, reason, lines, framed, lines)
  .map(([first, v, s, why, before, [frame = '', rest = ''], after]) =>
    Buffer.from(`${first}${v} ${s}${why}\r\n${before}${frame}${after}\r\n${rest}`, 'latin1'),
  )
const cuts = fc.array(fc.nat(2000), { maxLength: 8 })
const method = fc.constantFrom('GET', 'GET', 'POST', 'HEAD')

const corrupted = fc
  .tuple(
    response,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom('set', 'cut', 'insert'),
        fc.oneof(
          fc.constantFrom(...'\r\n :;,0a\0\x7f'),
          fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
        ),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([bytes, changes]) => {
    let text = bytes.toString('latin1')
    for (const [at, how, char] of changes) {
      const place = at % (text.length + 1)
      text = text.slice(0, place) + (how === 'cut' ? '' : char) + text.slice(how === 'insert' ? place : place + 1)
    }
    return Buffer.from(text, 'latin1')
  })

/** Ends all lines of the heads with CR LF, because Node rejects a line feed alone. */
function strictHead(bytes: Buffer): Buffer {
  const [heads = ''] = /^(?:HTTP\/1\.\d 1[\s\S]*?\n\r?\n)*[\s\S]*?\n\r?\n/.exec(bytes.toString('latin1')) ?? []
  const strict = heads.replace(/\r?\n/g, '\r\n')
  return Buffer.concat([Buffer.from(strict, 'latin1'), bytes.subarray(heads.length)])
}

/** Properties of a parser. Each function throws if its property is violated. */
const properties = {
  async likeNode(bytes: Buffer, places: number[], verb: string, make = whole) {
    const parsed = parse(bytes, places, verb, make)
    expect(parsed).toEqual(await parseWithNode(parsed === 'broken' ? bytes : bytes.subarray(0, used), verb))
  },
  async noMoreThanNode(bytes: Buffer, places: number[], verb: string, make = whole) {
    const parsed = parse(bytes, places, verb, make)
    expect(parse(bytes, [], verb, make)).toEqual(parsed)
    if (parsed !== 'broken') expect(parsed).toEqual(await parseWithNode(strictHead(bytes.subarray(0, used)), verb))
  },
  neverCutShort(bytes: Buffer, at: number, make = whole) {
    const all = parse(bytes, [], 'GET', make)
    const cut = parse(bytes.subarray(0, at % bytes.length), [], 'GET', make)
    if (cut === 'broken' || all === 'broken') return
    // Only a body that ends with the connection can be shorter.
    const parsed = all.headers.some((text, i) => i % 2 === 0 && /^(content-length|transfer-encoding)$/.test(text))
    expect(parsed ? cut : { ...cut, body: '' }).toEqual(parsed ? all : { ...all, body: '' })
  },
}

test.prop([response, cuts, method], { numRuns: 250 })(
  'parses a response like Node, from any pieces',
  (bytes, places, verb) => properties.likeNode(bytes, places, verb),
)

test.prop([response, method], { numRuns: 60 })('parses a response byte by byte with the same result', (bytes, verb) => {
  const everywhere = Array.from({ length: bytes.length }, (_, i) => i)
  expect(parse(bytes, everywhere, verb)).toEqual(parse(bytes, [], verb))
})

test.prop([corrupted, cuts, method], { numRuns: 6000 })(
  'rejects what Node rejects, and otherwise has the same result, from any pieces',
  (bytes, places, verb) => properties.noMoreThanNode(bytes, places, verb),
)

plain.each([
  ['is of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n', 'broken'],
  ['closes', 'HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n', 'broken'],
  ['is of HTTP/1.0 and keeps alive', 'HTTP/1.0 100 Continue\r\nConnection: keep-alive\r\n\r\n', 'ok'],
])('an interim response that %s', async (_, first, outcome) => {
  const bytes = Buffer.from(`${first}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi`)
  const parsed = parse(bytes, [5, first.length])
  expect(parsed === 'broken' ? parsed : 'ok').toBe(outcome)
  expect(parsed).toEqual(await parseWithNode(bytes))
})

plain.each([
  ['line feeds alone', 'HTTP/1.1 200 OK\nX-A: 1\nContent-Length: 2\n\nhi', ['x-a', '1', 'content-length', '2']],
  ['both line ends', 'HTTP/1.1 200\nX-A: 1\r\n\r\nhi', ['x-a', '1']],
  ['equal lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nhi', ['content-length', '2']],
])('a head with %s is read, from any pieces', (_, text, headers) => {
  const bytes = Buffer.from(text)
  const everywhere = Array.from({ length: bytes.length }, (_none, i) => i)
  for (const places of [[], [10, 25], everywhere]) {
    expect(parse(bytes, places)).toEqual({ status: 200, headers, body: 'hi', trailers: [] })
  }
})

plain.each([
  ['different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi'],
  ['a carriage return alone', 'HTTP/1.1 200 OK\rX-A: 1\r\n\r\nhi'],
  ['two carriage returns', 'HTTP/1.1 200 OK\r\nX-A: 1\r\r\n\r\nhi'],
  [
    'a chunk line that ends with a line feed alone',
    'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\r\n0\r\n\r\n',
  ],
])('%s breaks a response', (_, text) => {
  expect(parse(Buffer.from(text), [])).toBe('broken')
})

plain('more than 32 interim responses are rejected, although Node accepts any number', () => {
  const final = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'
  const parsed = (count: number) => parse(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(count) + final), [5])
  expect(parsed(32)).not.toBe('broken')
  expect(parsed(33)).toBe('broken')
})

plain.each([
  ['a chunk for each byte', '1\r\nx\r\n'.repeat(10_000), 'x'.repeat(10_000)],
  ['chunks of different sizes', '2\r\nab\r\n5;e=1\r\ncdefg\r\n1\r\nh\r\n', 'abcdefgh'],
])('the body of %s is passed on in one piece for each read', (_, chunks, expected) => {
  const parser = whole()
  const bodies: string[] = []
  const receiver = {
    onInterim() {},
    onHead() {},
    onBody(from: Buffer, start: number, end: number) {
      bodies.push(from.toString('latin1', start, end))
      return true
    },
    onTrailers() {},
  }
  parser.begin(receiver, false)
  const bytes = Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
  const half = bytes.length >> 1
  parser.feed(bytes, 0, half)
  parser.feed(bytes, half, bytes.length)
  expect(parser.state).toBe('done')
  expect(bodies.join('')).toBe(expected)
  expect(bodies.length).toBeLessThanOrEqual(2)
})

test.prop([response, fc.nat()])('a truncated response is never complete', (bytes, at) =>
  properties.neverCutShort(bytes, at),
)

/** Mutants of the parser, and the property that must detect each. */
const mutants: [string, keyof typeof properties, () => ResponseParser][] = [
  ['every end of the input completes the response', 'neverCutShort', () => mutate({ finish: () => true })],
  ['a head must arrive in one piece', 'likeNode', () => mutate({ feed: withoutPartialHeads })],
  ['a line feed alone ends a line', 'noMoreThanNode', () => mutate({ feed: withLooseLineEnds })],
  ['trailers are missing', 'likeNode', () => mutate({ trailers: (all) => all.slice(2) })],
  [
    'a byte is lost between two pieces',
    'likeNode',
    () => mutate({ feed: (feed, bytes, at, end) => feed(bytes, at, end > 1 ? end - 1 : end) }),
  ],
]

interface Mutation {
  finish?: () => boolean
  trailers?: (trailers: string[]) => string[]
  feed?: (feed: ResponseParser['feed'], bytes: Buffer, start: number, end: number) => number
}

function mutate({ finish, feed, trailers: mutateTrailers }: Mutation): ResponseParser {
  const parser = whole()
  const sound = parser.feed.bind(parser)
  const begin = parser.begin.bind(parser)
  if (finish !== undefined) parser.finish = finish
  if (mutateTrailers !== undefined) {
    parser.begin = (receiver, isHead) => {
      const { onTrailers } = receiver
      begin({ ...receiver, onTrailers: (trailers) => onTrailers(mutateTrailers(trailers)) }, isHead)
    }
  }
  if (feed !== undefined) parser.feed = (bytes, start, end) => feed(sound, bytes, start, end)
  return parser
}

function withoutPartialHeads(feed: ResponseParser['feed'], bytes: Buffer, start: number, end: number): number {
  const text = bytes.toString('latin1', start, end)
  return text.startsWith('HTTP/') && !text.includes('\r\n\r\n') ? end : feed(bytes, start, end)
}

function withLooseLineEnds(feed: ResponseParser['feed'], bytes: Buffer, start: number, end: number): number {
  const text = bytes.toString('latin1', start, end)
  const normalised = Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1')
  return Math.min(end, feed(normalised, 0, normalised.length))
}

plain.each(mutants)('detects a mutant: %s', async (_, property, make) => {
  const how = { numRuns: 1000, endOnFailure: true, seed: 7 }
  const judge = property === 'likeNode' ? properties.likeNode : properties.noMoreThanNode
  const { failed } =
    property === 'neverCutShort'
      ? await fc.check(
          fc.property(response, fc.nat(), (bytes, at) => properties.neverCutShort(bytes, at, make)),
          how,
        )
      : await fc.check(
          fc.asyncProperty(property === 'likeNode' ? response : corrupted, cuts, method, (bytes, places, verb) =>
            judge(bytes, places, verb, make),
          ),
          how,
        )
  expect(failed).toBe(true)
})
