import { HarError, makeRequest, type Recorded, readHar, writeHar } from '@turnpike/exchange'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTestEngine } from '../properties/subjects/test-engine.ts'
import { recordTraffic, replayTraffic } from './record-replay.ts'
import { sendInProcess } from './send-in-process.ts'

const api = {
  name: 'a',
  api_id: 'a',
  org_id: 'org1',
  active: true,
  use_keyless: true,
  global_rate_limit: { rate: 2, per: 60 },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: '/a/', target_url: 'http://upstream.test', strip_listen_path: true },
}
const open = (change: object = {}) =>
  makeTestEngine({
    definitions: [{ ...api, ...change }],
    script: ({ method, body }) => ({ headers: ['content-type', 'text/plain'], body: body ?? `hello ${method}` }),
  })

async function recordedTraffic() {
  const { engine, clock } = await open()
  const { send, recorded } = recordTraffic(sendInProcess(engine.handle), clock)
  await send(makeRequest('/a/one?x=1', { headers: [['authorization', 'secret']] }))
  clock.advance(1500)
  await send(makeRequest('/a/two', { method: 'POST', body: new Uint8Array([0xff, 0, 1]) }))
  await send(makeRequest('/a/three'))
  await send(makeRequest('/nowhere'))
  return recorded()
}

describe('recorded traffic', () => {
  it('is written as a HAR file of version 1.2 without credentials', async () => {
    const text = writeHar(await recordedTraffic())
    const { log } = JSON.parse(text)
    expect(log.version).toBe('1.2')
    expect(log.entries.map((entry: { response: { status: number } }) => entry.response.status)).toEqual([
      200, 200, 429, 404,
    ])
    expect(log.entries[0].request.queryString).toEqual([{ name: 'x', value: '1' }])
    expect(log.entries[1].response.content.encoding).toBe('base64')
    expect(text).not.toContain('secret')
  })

  it('gets the same responses from the same gateway when it is replayed with its pauses', async () => {
    const recorded = readHar(writeHar(await recordedTraffic()))
    const { engine, clock } = await open()
    const began = clock.now()
    const differences = await replayTraffic(recorded, sendInProcess(engine.handle), {
      pass: (ms) => clock.advance(ms),
    })
    expect(differences).toEqual([])
    expect(clock.now() - began).toBe(1500)
  })

  it('lists the requests to which another gateway responds differently', async () => {
    const recorded = await recordedTraffic()
    const { engine } = await open({ global_rate_limit: { rate: 1, per: 60 } })
    const differences = await replayTraffic(recorded, sendInProcess(engine.handle))
    expect(differences.map(({ index, difference }) => [index, difference])).toEqual([[1, 'status 200 and 429']])
  })

  it('is sent with the headers that replace the recorded ones', async () => {
    const seen: string[] = []
    await replayTraffic(
      await recordedTraffic(),
      async (request) => {
        seen.push(request.headers.map(([name, value]) => `${name}=${value}`).join())
        return { status: 200, headers: [], body: new Uint8Array() }
      },
      { requestHeaders: { Authorization: 'mine' } },
    )
    expect(seen).toEqual(Array(4).fill('authorization=mine'))
  })
})

describe('a HAR file', () => {
  const bytes = fc.uint8Array({ maxLength: 20 })
  const lines = fc.array(fc.tuple(fc.stringMatching(/^[a-z][a-z-]{0,8}$/), fc.string()), { maxLength: 3 })
  const entry: fc.Arbitrary<Recorded> = fc.record({
    at: fc.nat().map((n) => 1_767_225_600_000 + n),
    tookMs: fc.nat(1000),
    request: fc.record({
      method: fc.constantFrom('GET', 'POST'),
      url: fc.constantFrom('/', '/a/../b?c=%20', '//x', '/ä'),
      headers: lines,
      body: fc.option(bytes, { nil: undefined }),
    }),
    response: fc.record({ status: fc.integer({ min: 100, max: 599 }), headers: lines, body: bytes }),
  })

  it('can be read back without changes', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
        expect(readHar(writeHar(entries))).toEqual(entries)
      }),
    )
  })

  it('is rejected with the invalid field in the message', () => {
    expect(() => readHar('{')).toThrow(HarError)
    expect(() => readHar('{"log":{}}')).toThrow('log.entries is not a list')
    expect(() => readHar('{"log":{"entries":[{"request":{"url":"/"}}]}}')).toThrow('log.entries[0].response is missing')
    expect(() => readHar('{"log":{"entries":[{"request":{"headers":[{}]},"response":{"status":200}}]}}')).toThrow(
      'a header without a name',
    )
  })
})
