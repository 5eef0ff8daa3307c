import { describe, expect, it } from 'vitest'
import { plainCounter } from '../../../test/support/plain-counters.ts'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { type Store, StoreUnavailableError } from '../../ports/store.ts'
import { parseSession } from '../../session/session-json.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'
import { makeMemorySignals } from '../../store-memory/signals-memory.ts'

/** An asynchronous store whose connection a test can cut. */
function cuttable() {
  const now = 1_700_000_000_000
  const memory = makeMemoryStore({ clock: { now: () => now, after: () => () => {}, breathe: () => Promise.resolve() } })
  const wire = { isCut: false, asked: [] as string[] }
  const over =
    <A extends readonly unknown[], T>(name: string, verb: (...args: A) => T) =>
    async (...args: A) => {
      wire.asked.push(name)
      if (wire.isCut) throw new StoreUnavailableError('the connection is cut')
      return verb(...args)
    }
  const store: Store = {
    ...memory,
    sessions: { ...memory.sessions, find: over('session', memory.sessions.find) },
    organisations: { ...memory.organisations, get: over('org', memory.organisations.get) },
    counters: { ...memory.counters, consume: over('limits', memory.counters.consume) },
    responses: { ...memory.responses, get: over('cache', memory.responses.get) },
  }
  return { store, memory, wire }
}

const keyed = definitionOf('keyed', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })
const cached = definitionOf('cached', {
  cache_options: { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true },
})
const session = {
  org_id: 'org1',
  rate: 2,
  per: 60,
  quota_max: 10,
  quota_renewal_rate: 60,
  access_rights: { keyed: { api_id: 'keyed' } },
}
const sessionOf = (json: object) => parseSession(json).session as Session
const auth = { Authorization: 'org1abc' }

async function setUp(settings: Partial<GatewaySettings> = {}) {
  const { store, memory, wire } = cuttable()
  const signals = makeMemorySignals()
  const test = await makeTestEngine({
    definitions: [keyed, cached, definitionOf('open')],
    engine: { store, signals },
    settings: { ...plainSettings, keys: { ...plainSettings.keys, cachedForMs: 10_000 }, ...settings },
  })
  memory.sessions.put('org1abc', sessionOf(session))
  const status = async (path: string, headers: Record<string, string> = auth) =>
    (await test.send('GET', path, headers)).status
  return { ...test, wire, memory, signals, status }
}

describe('while the store is unavailable', () => {
  it('keyed requests are rejected with 503, and are accepted when it is available again', async () => {
    const { status, wire, send } = await setUp()
    wire.isCut = true
    const rejected = await send('GET', '/keyed/x', auth)
    expect(rejected.status).toBe(503)
    expect(String(rejected.body)).toContain('Storage is not available')
    wire.isCut = false
    expect(await status('/keyed/x')).toBe(200)
  })

  it('requests with a cached key are rejected too, because the store counts their limits', async () => {
    const { status, wire } = await setUp()
    expect(await status('/keyed/x')).toBe(200)
    wire.isCut = true
    expect(await status('/keyed/x')).toBe(503)
  })

  it('keyed requests are accepted without counting with storage_outage allow', async () => {
    const { status, wire, memory } = await setUp({ storageOutage: 'allow' })
    wire.isCut = true
    for (let i = 0; i < 5; i++) expect(await status('/keyed/x')).toBe(200)
    expect(memory.counters.readQuota(plainCounter('org1abc'))).toBeUndefined()
    wire.isCut = false
    expect(await status('/keyed/x')).toBe(200)
    expect(memory.counters.readQuota(plainCounter('org1abc'))?.used).toBe(1)
  })

  it('keyless requests are accepted, and reach the upstream instead of the cache', async () => {
    const { status, wire, upstreamRequests, logged } = await setUp()
    wire.isCut = true
    expect(await status('/open/x', {})).toBe(200)
    expect(await status('/cached/x', {})).toBe(200)
    expect(await status('/cached/x', {})).toBe(200)
    expect(upstreamRequests).toHaveLength(3)
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each<Partial<GatewaySettings>>([{}, { storageOutage: 'allow' }])(
    'mutual TLS and signatures with a stored certificate are never skipped: 503 (%j)',
    async (settings) => {
      const rsa = { algorithm: 'rsa-sha256', key_id: 'k', certificate_id: 'a1' }
      const test = await makeTestEngine({
        definitions: [
          definitionOf('mutual', { use_mutual_tls_auth: true, client_certificates: ['a1'] }),
          definitionOf('signed', { request_signing: { is_enabled: true, header_list: ['date'], ...rsa } }),
        ],
        engine: {
          certificates: {
            read: () => ({
              sha256: 'b2',
              notBefore: 0,
              notAfter: 0,
              isCa: false,
              maxIntermediates: -1,
              isIssuedBy: () => false,
            }),
            find: () => Promise.reject(new StoreUnavailableError('the connection is cut')),
          },
        },
        settings: { ...plainSettings, ...settings },
      })
      const overTls = { ...requestOf('GET', '/mutual/x'), secure: true, clientCertificate: new Uint8Array(1) }
      expect((await test.engine.handle(overTls)).status).toBe(503)
      expect((await test.send('GET', '/signed/x', { date: 'now' })).status).toBe(503)
      expect(test.upstreamRequests).toEqual([])
    },
  )

  it('the last known session of an organisation stays in use', async () => {
    const { status, wire, memory, advance } = await setUp()
    memory.organisations.put('org1', sessionOf({ is_inactive: true }))
    expect(await status('/open/x', {})).toBe(403)
    wire.isCut = true
    advance(11_000)
    expect(await status('/open/x', {})).toBe(403)
    advance(60_000)
    expect(await status('/open/x', {})).toBe(403)
  })
})

describe('a shared store', () => {
  it('counts rate and quota in one operation, and a request over the rate consumes no quota', async () => {
    const { status, wire, memory } = await setUp()
    await status('/keyed/x')
    wire.asked.length = 0
    expect([await status('/keyed/x'), await status('/keyed/x'), await status('/keyed/x')]).toEqual([200, 429, 429])
    expect(wire.asked).toEqual(['limits', 'limits', 'limits'])
    expect(memory.counters.readQuota(plainCounter('org1abc'))?.used).toBe(2)
  })

  it('is read again for a session after a while, without a signal', async () => {
    const { status, wire, advance } = await setUp()
    const asked = () => wire.asked.filter((verb) => verb === 'session').length
    await status('/keyed/x')
    advance(9_999)
    await status('/keyed/x')
    expect(asked()).toBe(1)
    advance(1)
    await status('/keyed/x')
    expect(asked()).toBe(2)
  })

  it('is read again for everything after a gap in the signals', async () => {
    const { status, memory, signals } = await setUp()
    await status('/keyed/x')
    memory.sessions.remove('org1abc')
    expect(await status('/keyed/x')).toBe(200)
    await signals.publish({ kind: 'gap' })
    await Promise.resolve()
    expect(await status('/keyed/x')).toBe(403)
  })

  it('is read again for an organisation after a key-changed signal with its id', async () => {
    const { status, signals, memory } = await setUp()
    expect(await status('/open/x', {})).toBe(200)
    memory.organisations.put('org1', sessionOf({ is_inactive: true }))
    expect(await status('/open/x', {})).toBe(200)
    await signals.publish({ kind: 'key-changed', storedName: 'org1' })
    await Promise.resolve()
    expect(await status('/open/x', {})).toBe(403)
  })
})
