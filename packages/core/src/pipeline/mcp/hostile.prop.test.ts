/** No message crashes the gateway, and a blocked tool never reaches the upstream. */
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { call, makeMcpEngine, rule } from '../../../test/support/mcp/mcp-engine.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'

type Pair = readonly [name: string, value: string | readonly Pair[]]
/** A strategy for members that occur twice or in another case. */
interface Reader {
  readonly takes: 'first' | 'last'
  readonly fold: (name: string) => string
}

const readers: readonly Reader[] = (['first', 'last'] as const).flatMap((takes) =>
  [
    (name: string) => name,
    (name: string) => name.toLowerCase(),
    (name: string) => name.normalize('NFKC').toLowerCase(),
  ].map((fold) => ({ takes, fold })),
)

function readMember(pairs: readonly Pair[], name: string, { takes, fold }: Reader): Pair[1] | undefined {
  const found = pairs.filter(([given]) => fold(given) === name)
  return found.at(takes === 'first' ? 0 : -1)?.[1]
}

/** The tool that a reader with this strategy would call. */
function toolFor(pairs: readonly Pair[], reader: Reader): string | undefined {
  const params = readMember(pairs, 'params', reader)
  if (readMember(pairs, 'method', reader) !== 'tools/call' || !Array.isArray(params)) return undefined
  const name = readMember(params as readonly Pair[], 'name', reader)
  return typeof name === 'string' ? name : undefined
}

const cases = (name: string) =>
  fc.constantFrom(name, name.toUpperCase(), name.replace('s', '\u017f'), name.replace('n', 'N'))
const tool = fc.constantFrom('danger', 'dangerous', 'safe', 'Danger', 'dan', '')
const params: fc.Arbitrary<readonly Pair[]> = fc.array(
  fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant('name') }, cases('name'), fc.constant('__proto__')), tool),
  { maxLength: 3 },
)
const member: fc.Arbitrary<Pair> = fc.oneof(
  fc.tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant('method') }, cases('method')),
    fc.constantFrom('tools/call', 'ping'),
  ),
  fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant('params') }, cases('params')), params),
  fc.tuple(fc.constantFrom('x', '__proto__', 'result'), fc.constantFrom('', 'tools/call')),
)
const message = fc
  .tuple(fc.array(member, { minLength: 1, maxLength: 5 }), fc.nat(5))
  .map(([members, at]): readonly Pair[] => {
    const version: Pair = ['jsonrpc', '2.0']
    return [...members.slice(0, at), version, ...members.slice(at)]
  })

/** Prints JSON with blanks and escapes at positions that the numbers select. */
function print(value: Pair[1], choices: () => number): string {
  const blank = () => ['', '', ' ', '\n\t', '\r\n'][choices() % 5] as string
  const text = (given: string) => `"${[...given].map((c) => (choices() % 3 === 0 ? escaped(c) : c)).join('')}"`
  if (typeof value === 'string') return text(value)
  return `{${blank()}${value.map(([name, inner]) => `${text(name)}${blank()}:${blank()}${print(inner, choices)}${blank()}`).join(`,${blank()}`)}}`
}

function escaped(char: string): string {
  if (char === '/') return '\\/'
  const hex = char.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${char < 'g' ? hex : hex.toUpperCase()}`
}

const paths = { black_list: [rule('/mcp-tool:danger')], white_list: [] }

describe('a blocked tool', () => {
  test.prop([message, fc.infiniteStream(fc.nat(30))], { numRuns: 400 })(
    'never reaches the upstream, for any reader strategy of the upstream',
    async (pairs, numbers) => {
      const engine = await makeMcpEngine({ paths })
      const text = print(pairs, () => numbers.next().value as number)
      await engine.post(text)
      if (engine.upstreamRequests.length === 0) return
      expect(utf8Text(engine.upstreamRequests[0]?.body as Uint8Array)).toBe(text)
      for (const reader of readers) expect(toolFor(pairs, reader) ?? '', text).not.toMatch(/^danger/)
    },
  )

  it('would reach it in some of these messages if only the last of equal names were checked', () => {
    const plain: Reader = { takes: 'last', fold: (name) => name }
    const fooling = fc
      .sample(message, { seed: 1, numRuns: 400 })
      .filter((pairs) => !/^danger/.test(toolFor(pairs, plain) ?? ''))
      .filter((pairs) => readers.some((reader) => /^danger/.test(toolFor(pairs, reader) ?? '')))
    expect(fooling.length).toBeGreaterThan(5)
  })

  test.prop([fc.string({ unit: 'grapheme' })])('is not mistaken for others', async (name) => {
    fc.pre(name !== '' && !name.startsWith('danger'))
    const engine = await makeMcpEngine({ paths })
    expect((await engine.post(call(name))).status).toBe(200)
  })
})

describe('a body', () => {
  test.prop([
    fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.string(),
      fc.json().map((text) => `{"jsonrpc":"2.0","params":${text}`),
    ),
  ])('of any text is forwarded or rejected with a JSON error', async (text) => {
    const engine = await makeMcpEngine({ paths })
    const reply = await engine.post(text)
    expect([200, 400, 403]).toContain(reply.status)
    expect(JSON.parse(reply.text)).toBeTypeOf('object')
  })

  test.prop([fc.uint8Array({ maxLength: 64 })])('of any bytes is handled in the same way', async (bytes) => {
    const engine = await makeMcpEngine({ paths })
    const { status } = await engine.post(bytes)
    expect([200, 400]).toContain(status)
  })

  test.each([
    [
      '100,000 levels of lists',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
      400,
    ],
    ['100,000 levels of objects', `${'{"params":'.repeat(1e5)}1${'}'.repeat(1e5)}`, 400],
    ['100,000 levels that do not end', '['.repeat(1e5), 400],
    ['a million members', `{"jsonrpc":"2.0","method":"ping"${',"a":1'.repeat(5e5)}}`, 400],
    ['a text of a million characters', `{"jsonrpc":"2.0","method":"ping","params":{"a":"${'a'.repeat(1e6)}"}}`, 200],
    ['more than is read of a message', ' '.repeat(17 * 1024 * 1024), 413],
  ])('of %s is handled', async (_, text, status) => {
    const engine = await makeMcpEngine({ paths })
    expect((await engine.post(utf8Bytes(text))).status).toBe(status)
  })
})
