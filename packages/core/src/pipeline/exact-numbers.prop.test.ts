/** Wherever JSON passes through the gateway, each number keeps the text that its sender wrote. */
import { fc, test } from '@fast-check/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeMcpEngine, rule } from '../../test/support/mcp/mcp-engine.ts'
import { definitionOf, makeTestEngine, requestOf, type TestEngine } from '../../test/support/test-engine.ts'
import { collectResponse } from '../engine/inject.ts'
import { streamOf } from '../http/byte-stream.ts'
import { parseTemplate } from '../lib/template/template.ts'
import { encodeBase64 } from '../lib/text/base64.ts'
import { parseExactly, stringifyExactly } from '../lib/text/json-number.ts'
import { utf8Bytes, utf8Text } from '../lib/text/utf8.ts'
import { claimsOfToken, claimText } from './shared/token-variables.ts'

const known = [
  '9007199254740993',
  '1285704473650888702',
  '123456789012345678901234567890',
  '1e400',
  '-1E-400',
  '1.0',
  '-0',
  '0.1000',
  '1234567',
  '0.00001',
  '1e2',
]
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((list) => list.join(''))
const whole = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.integer({ min: 1, max: 9 }), digits(0, 24)).map(([first, rest]) => `${first}${rest}`),
)
const orNone = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), text)
const written = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    orNone(digits(1, 12).map((fraction) => `.${fraction}`)),
    orNone(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), digits(1, 3)).map(([e, power]) => `${e}${power}`)),
  )
  .map((parts) => parts.join(''))
const number = fc.oneof(fc.constantFrom(...known), written)

let upstreamBody = '{}'

async function send(engine: TestEngine, path: string, body: string) {
  const bytes = utf8Bytes(body)
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  const request = { ...requestOf('POST', path, headers), body: streamOf(bytes), bodyLength: bytes.length }
  const { text } = await collectResponse(await engine.engine.handle(request))
  const sent = engine.upstreamRequests.at(-1)?.body
  return { text: text(), sent: sent instanceof Uint8Array ? utf8Text(sent) : '' }
}

const templates: Readonly<Record<string, string>> = {
  print: '{{.n}}',
  marshal: '{{.o | jsonMarshal}}',
  list: '{{range .list}}{{.}};{{end}}',
  decode: '{{(fromJson .json).n}}',
  format: '{{printf "%v" .n}}',
}
const template = (name: string) => ({
  path: `/${name}`,
  method: 'POST',
  template_data: { template_mode: 'blob', template_source: encodeBase64(utf8Bytes(templates[name] as string)) },
})

async function makeEngine() {
  const schema = 'scalar JSON type Query { f(i: JSON): JSON }'
  const graphql = { enabled: true, execution_mode: 'proxyOnly', version: '2', schema }
  const names = Object.keys(templates)
  const paths = { transform: names.map(template), transform_response: names.map(template) }
  const version = { name: 'Default', use_extended_paths: true, extended_paths: paths }
  return makeTestEngine({
    definitions: [
      definitionOf('g', { graphql }),
      definitionOf('t', {
        version_data: { not_versioned: true, versions: { Default: version } },
        response_processors: [{ name: 'response_body_transform', options: {} }],
      }),
    ],
    upstream: () =>
      Promise.resolve({
        kind: 'response',
        status: 200,
        headers: ['content-type', 'application/json'],
        body: utf8Bytes(upstreamBody),
        bodyLength: undefined,
      }),
  })
}

describe('numbers', () => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = await makeEngine()
  })

  test.prop([number])('of GraphQL variables, literals and responses', async (n) => {
    upstreamBody = `{"data":{"f":{"id":${n},"list":[${n}]}},"errors":[{"message":"m","code":${n}}]}`
    const variable = await send(engine, '/g/', `{"query":"query($i: JSON){f(i: $i)}","variables":{"i":${n}}}`)
    expect(variable.sent).toContain(`"variables":{"i":${n}}`)
    expect(variable.text).toBe(`{"errors":[{"message":"m","code":${n}}],"data":{"f":{"id":${n},"list":[${n}]}}}`)
    const literal = await send(engine, '/g/', `{"query":"{f(i: {a: [${n}]})}"}`)
    expect(literal.sent).toContain(`{"a":{"a":[${n}]}}`)
  })

  test.prop([number])('of bodies that templates write', async (n) => {
    const body = `{"n":${n},"o":{"a":[${n}]},"list":[${n},${n}],"json":"{\\"n\\":${n}}"}`
    upstreamBody = body
    const expected = { print: n, marshal: `{"a":[${n}]}`, list: `${n};${n};`, decode: n, format: n }
    for (const [name, text] of Object.entries(expected)) {
      expect(await send(engine, `/t/${name}`, body), name).toEqual({ sent: text, text })
    }
  })

  test.prop([number], { numRuns: 30 })('of MCP messages and filtered lists', async (n) => {
    const tools = `{"jsonrpc":"2.0","id":${n},"result":{"tools":[{"name":"hidden"},{"name":"a","max":${n}}]}}`
    const shown = tools.replace('{"name":"hidden"},', '')
    for (const [type, text, expected] of [
      ['application/json', tools, shown],
      ['text/event-stream', `data: ${tools}\n\n`, `data: ${shown}\n\n`],
    ] as const) {
      const mcp = await makeMcpEngine({
        paths: { black_list: [rule('/mcp-tool:hidden')] },
        response: { headers: ['content-type', type], body: utf8Bytes(text) },
      })
      const message = `{"jsonrpc":"2.0","id":${n},"method":"tools/list"}`
      expect((await mcp.post(message)).text).toBe(expected)
      expect(utf8Text(mcp.upstreamRequests[0]?.body as Uint8Array)).toBe(message)
      const refused = `{"jsonrpc":"2.0","id":${n},"method":"tools/call","params":{"name":"hidden"}}`
      expect((await mcp.post(refused)).text).toContain(`"id":${n}`)
    }
  })

  test.prop([whole])('of claims', (n) => {
    const token = `e30.${Buffer.from(`{"n":${n}}`).toString('base64url')}.x`
    expect(claimText(claimsOfToken(token).get('n'))).toBe(n)
  })

  const json = fc.jsonValue().chain((value) => fc.constant(JSON.stringify(value)))
  test.prop([fc.array(fc.oneof(json, number)), fc.string()])('of any text', (values, name) => {
    const text = `{${JSON.stringify(`_${name}`)}:[${values.join(',')}],"__proto__":1.0}`
    expect(stringifyExactly(parseExactly(text))).toBe(
      `{${JSON.stringify(`_${name}`)}:[${values.map((one) => (isNumber(one) ? one : JSON.stringify(JSON.parse(one)))).join(',')}],"__proto__":1.0}`,
    )
  })
  const isNumber = (text: string) => /^-?\d/.test(text)

  it.each([
    ['{{add .n 1}} {{int .n}}', '9007199254740993', '9007199254740994 9007199254740993'],
    ['{{mulf .n 2.0}} {{printf "%.1f" .n}}', '1e2', '200 100.0'],
    ['{{if and (gt .n 5.0) (eq .n 7.0)}}yes{{end}}', '7.0', 'yes'],
    ['{{if .n}}yes{{else}}no{{end}} {{typeOf .n}}', '0.0', 'no float64'],
    ['{{index .list (int .one)}}', '1.50', '1.50'],
  ])('are numbers for %s', (source, n, expected) => {
    const made = parseTemplate(source)
    const data = parseExactly(`{"n":${n},"list":[0,${n}],"one":1.0}`)
    expect(made.problem === undefined && made.render(data)).toEqual({ problem: undefined, text: expected })
  })

  it('are JavaScript numbers for other code', () => {
    expect(JSON.parse(JSON.stringify(parseExactly('{"a":1.0,"b":[1e2]}')))).toEqual({ a: 1, b: [100] })
  })

  it('are found in bounded time', () => {
    const texts = [`[${'1'.repeat(500_000)}]`, `"${'\\\\'.repeat(250_000)}"`, `[1.${'0'.repeat(500_000)}]`]
    const from = performance.now()
    for (const text of texts) expect(stringifyExactly(parseExactly(text))).toBe(text)
    expect(performance.now() - from).toBeLessThan(500)
  })
})
