/**
 * The time promise (docs/security.md#bounded-time): no request blocks the event loop for more than 50 ms. Each case sends one
 * request with a random text up to the limits, to an API whose stages read that part.
 */
import { createGateway, type InjectRequest } from 'turnpike'
import { definition, keyed, paths, template } from '../subjects/definition.ts'
import { emptyUpstream } from './empty-upstream.ts'
import { FuzzFinding, type FuzzTarget } from './fuzz-target.ts'
import { makeRandom, pick, type Random } from './generate.ts'

/** On a machine with more work than cores, 50 ms of work take up to twice the CPU time, because caches are shared. */
const maxTurnMs = 100
/** The fastest counts, because others compile code or collect garbage. */
const runs = 5
const maxHeadBytes = 60_000
const maxBodyBytes = 2 ** 20 - 1_000

const apis: readonly (readonly [string, object])[] = [
  ['open', {}],
  ['keyed', { ...keyed, use_standard_auth: true }],
  ['hmac', { use_keyless: false, enable_signature_checking: true }],
  ['cached', { cache_options: { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true } }],
  ['rfc9111', { cache_mode: 'rfc9111', cache_options: { enable_cache: true } }],
  [
    'rules',
    paths({
      url_rewrites: [{ path: '/(a*)*b', method: 'GET', match_pattern: '/(a*)*(b|c)*x', rewrite_to: '/$1' }],
      black_list: [{ path: '/(x+x+)+y', method: '' }],
    }),
  ],
  [
    'validated',
    paths({
      validate_json: [
        {
          ...{ path: '/', method: 'POST', error_response_code: 422 },
          schema: { type: 'object', properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }, { type: 'string' }] } } },
        },
      ],
    }),
  ],
  ...(['json', 'xml'] as const).map((type): [string, object] => [
    type,
    paths({
      transform: [
        { path: '/', method: 'POST', template_data: template('{{ range $k, $v := . }}{{ $k }}{{ end }}', type) },
      ],
    }),
  ]),
  [
    'graphql',
    {
      graphql: {
        ...{ enabled: true, execution_mode: 'proxyOnly', version: '2', playground: { enabled: false } },
        schema: 'type Query { a: Query b: String }',
      },
    },
  ],
]
const names: readonly string[] =
  'authorization cookie x-forwarded-for forwarded connection if-none-match cache-control range accept-encoding accept te via content-type'.split(
    ' ',
  )
const headPieces: readonly string[] =
  'a/../ ..;x/ %2f%2e a=b; a=b& 10.0.0.1, for="[::1]"; x-a, W/"a", max-age=1, 0-1, gzip;q=0.1, keyId="a", Bearer \\" , ; = aaaa xx //'
    .split(' ')
    .concat(' ', '\t')
const bodyPieces: readonly string[] = [
  ...['1,', '[', '{"a":', '"\\"",', '{"a":1},', '"\u01c4\u0345":1,', '<a>', '<b c="d"/>', '<!-- ', '&amp;', ' '],
  ...['{a', '...f ', 'x: b ', '#\n', '}', ']', '\\u0041', '-1e9,', '"a":"b",'],
]
const bodyStarts: readonly string[] = ['', '[', '{"a":[', '{"query":"{', '<a ', '<a>', '{']

/** Up to three repeated pieces of together at most `maxBytes`. */
function longText(random: Random, pieces: readonly string[], maxBytes: number): string {
  const parts = 1 + random(3)
  const bytes = Math.floor((maxBytes / parts) * (random(2) === 0 ? 1 : random(100) / 100))
  return Array.from({ length: parts }, () => {
    const piece = pick(random, pieces)
    return piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))
  }).join('')
}

function requestOf(random: Random): InjectRequest {
  const path = `/${pick(random, apis)[0]}/`
  const place = random(4)
  if (place === 0) {
    const text = longText(random, headPieces, maxHeadBytes).replaceAll(/[\s"\\<>]/g, '+')
    return { method: 'GET', url: `${path}${pick(random, ['', '?'])}${text}`, headers: {} }
  }
  const type = pick(random, ['application/json', 'application/xml', 'text/plain'])
  if (place === 1) {
    const value = longText(random, headPieces, maxHeadBytes)
    return { method: 'GET', url: path, headers: { 'content-type': type, [pick(random, names)]: `${value}x` } }
  }
  const body = pick(random, bodyStarts) + longText(random, bodyPieces, maxBodyBytes) + pick(random, ['', '1]}', '</a>'])
  return { method: 'POST', url: path, headers: { 'content-type': type }, body }
}

/** CPU milliseconds of the longest turn of the event loop until the call has settled. */
async function longestTurnOf(act: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = process.cpuUsage()
  const measure = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(measure)
  }
  setImmediate(measure)
  await act()
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  measure()
  return longest
}

export const timeTarget: FuzzTarget = {
  name: 'time-promise',
  weight: 2,
  keepsState: false,
  async open() {
    const gateway = await createGateway({
      ...{ upstream: emptyUpstream, store: 'memory', log: 'silent' },
      definitions: () => apis.map(([id, more]) => definition(id, 'http://127.0.0.1:1', more)) as never,
    })
    if (gateway.apis().length !== apis.length) throw new Error('an API of this target was not loaded')
    return {
      async run(seed) {
        const request = requestOf(makeRandom(seed))
        let best = Number.POSITIVE_INFINITY
        for (let i = 0; i < runs && best > maxTurnMs; i++) {
          best = Math.min(best, await longestTurnOf(() => gateway.inject(request)))
        }
        if (best <= maxTurnMs) return
        const { url, headers, body } = request
        const parts = [url, JSON.stringify(headers), String(body)].map((text) => text.slice(0, 200))
        throw new FuzzFinding(`a turn of the event loop takes ${Math.round(best)} ms of CPU time`, parts)
      },
      close: () => gateway.close(0),
    }
  },
}
