import { describe, expect, test } from 'vitest'
import { definitionOf } from '../../test/support/test-engine.ts'
import { plainSettings } from '../../test/support/test-settings.ts'
import type { ApiDefinition } from '../definition/api-definition.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { Counter } from '../ports/store.ts'
import { makePathPatterns } from './access/path-patterns.ts'
import { type ApiAccess, compileApiAccess, counterOf, counterOfEndpoint, storedQuotaOf } from './api-access.ts'
import { rateCounterName } from './names/counter-names.ts'
import { parseSession } from './session-json.ts'

type Json = Record<string, unknown>

function apiOf(more: Json = {}): ApiDefinition {
  const read = parseDefinition(JSON.stringify(definitionOf('a', more)), 'a.json', 'h', { secret: () => undefined })
  if (read.problem !== undefined) throw new Error(read.problem.message)
  return read.definition
}

const versioned = {
  version_data: { not_versioned: false, versions: { v1: { name: 'v1' }, v2: { name: 'v2' } } },
  definition: { location: 'header', key: 'X-Version' },
}

function accessOf(session: Json, api: Json = {}, changed: Partial<GatewaySettings> = {}): ApiAccess | undefined {
  const settings = { ...plainSettings, ...changed }
  const patterns = makePathPatterns(settings.routing)
  return compileApiAccess({ session: sessionOf(session), settings, patterns }, apiOf(api))
}

function sessionOf(fields: Json): Session {
  const parsed = parseSession({ org_id: 'org1', last_updated: '77', ...fields })
  if (parsed.session === undefined) throw new Error(parsed.problem)
  return parsed.session
}

/** The counter of a key `org1key` with this session. */
function counterIn(session: Json): Counter {
  return counterOf(accessOf(session) as ApiAccess, 'org1key', '77')
}

const limitsOf = (algorithm: GatewaySettings['limits']['algorithm']) => ({
  limits: { ...plainSettings.limits, algorithm },
})
const onA = (right: Json = {}) => ({ access_rights: { a: right } })

describe('access', () => {
  test('is limited to the APIs in the access rights', () => {
    expect(accessOf(onA())).toBeDefined()
    expect(accessOf({ access_rights: { b: {} } })).toBeUndefined()
    expect(accessOf({})).toBeUndefined()
  })

  test('includes all APIs and versions for a master key, if master keys are allowed', () => {
    const keys = { keys: { ...plainSettings.keys, allowMasterKeys: true } }
    expect(accessOf({ quota_max: 3 }, versioned, keys)).toMatchObject({
      versions: undefined,
      quota: { max: 3 },
    })
    expect(accessOf({ access_rights: { b: {} } }, {}, keys)).toBeUndefined()
  })

  test('lists versions only for a versioned API; an empty list allows none', () => {
    expect(accessOf(onA({ versions: ['v1'] }), versioned)?.versions).toEqual(new Set(['v1']))
    expect(accessOf(onA(), versioned)?.versions).toEqual(new Set())
    expect(accessOf(onA({ versions: ['v1'] }))?.versions).toBeUndefined()
  })
})

describe('the limits of an API entry', () => {
  test('replace all limits of the session together', () => {
    const session = { rate: 9, per: 1, quota_max: 9, throttle_interval: 1, throttle_retry_limit: 2 }
    const own = accessOf({ ...session, ...onA({ limit: { quota_max: 4 } }) })
    expect(own).toMatchObject({ quota: { max: 4 }, rate: undefined, throttle: undefined })
    const none = accessOf({ ...session, ...onA({ limit: { rate: 0 } }) })
    expect(none).toMatchObject({
      quota: { max: 9 },
      rate: { rate: 9, per: 1 },
      throttle: { retries: 2, intervalMs: 1000 },
    })
  })

  test('are counted under the key and the scope', () => {
    const session = { rate: 1, per: 1, quota_max: 1, ...onA({ allowance_scope: 'gold' }) }
    expect(counterIn(session)).toMatchObject({
      subject: 'org1key',
      kind: 'key',
      scope: 'gold',
      endpoint: '',
      generation: '77',
      rate: { rate: 1 },
      quota: { max: 1 },
    })
    expect(counterIn({ rate: 1, per: 1, ...onA() }).id).toBe('org1key')
  })
})

describe('nothing is counted', () => {
  test.each([0, -1])('with a quota of %d, although headers report its stored numbers', (max) => {
    const numbers = { quota_max: max, quota_remaining: 12, quota_renews: 55 }
    const stored = { max, remaining: 12, renews: 55 }
    const own = onA({ limit: { ...numbers, rate: 1 } })
    expect(accessOf(own)).toMatchObject({ quota: undefined })
    expect(storedQuotaOf(sessionOf(own), 'a')).toEqual(stored)
    expect(accessOf({ ...numbers, ...onA() })).toMatchObject({ quota: undefined })
    expect(storedQuotaOf(sessionOf({ ...numbers, ...onA() }), 'a')).toEqual(stored)
  })

  test('and an API entry with only a rate reports zeros, regardless of the stored session', () => {
    const session = sessionOf({ quota_max: 70, quota_remaining: 60, ...onA({ limit: { rate: 9, per: 1 } }) })
    expect(storedQuotaOf(session, 'a')).toEqual({ max: 0, remaining: 0, renews: 0 })
  })

  test('and a session without access rights, a master key, reports its own numbers', () => {
    expect(storedQuotaOf(sessionOf({ quota_max: -1, quota_remaining: 3 }), 'a')).toMatchObject({
      max: -1,
      remaining: 3,
    })
  })

  test('with a rate of 0 or less', () => {
    expect(accessOf({ rate: 0, per: 1, ...onA() })?.rate).toBeUndefined()
    expect(accessOf({ rate: -1, per: 1, ...onA() })?.rate).toBeUndefined()
  })

  test('if the API disables limits', () => {
    const session = { rate: 1, per: 1, quota_max: 1, ...onA({ endpoints: endpoint('/x', 'GET', 1) }) }
    const access = accessOf(session, { disable_rate_limit: true, disable_quota: true })
    expect(access).toMatchObject({ rate: undefined, endpointRate: undefined, quota: undefined })
  })
})

describe('rate_limit_pattern', () => {
  const limited = (pattern: string, meta: Json = {}) => ({
    rate: 1,
    per: 1,
    quota_max: 1,
    meta_data: { rate_limit_pattern: pattern, ...meta },
    ...onA(),
  })

  const subjectOf = (session: Json) => counterIn(session).subject

  test('replaces the key as the subject of its counter, which then has no generation', () => {
    expect(counterIn(limited('$svc_meta.who', { who: 'joe' }))).toMatchObject({ subject: 'joe', generation: '' })
  })

  test('with an empty value keeps the key as the subject', () => {
    expect(counterIn(limited('$svc_meta.who'))).toMatchObject({ subject: 'org1key', generation: '77' })
  })

  test('does not replace variables inside values of the metadata', () => {
    expect(subjectOf(limited('$svc_meta.a', { a: '$svc_meta.b', b: 'x' }))).toBe('$svc_meta.b')
  })

  test('with variables of the request has one counter per value', () => {
    const pattern = accessOf(limited('$svc_meta.who/$svc_context.ip', { who: 'joe' }))?.pattern
    if (pattern?.kind !== 'by-request') throw new Error('the pattern is fixed')
    const named = (ip: string) =>
      pattern.subjectFor({ contextText: (name) => (name === 'ip' ? ip : ''), metaText: () => '' })
    expect([named('1'), named('2'), named('1')]).toEqual(['joe/1', 'joe/2', 'joe/1'])
  })
})

function endpoint(path: string, name: string, rate: number): Json[] {
  return [{ path, methods: [{ name, limit: { rate, per: 60 } }] }]
}

describe('an endpoint rate', () => {
  const rates = (endpoints: Json[]) => {
    const access = accessOf({ ...onA({ endpoints }) }, {}, limitsOf('rolling'))
    return (method: string, path: string) => access?.endpointRate?.(method, path)
  }

  test('has a counter of method and path pattern', () => {
    const found = rates(endpoint('/e', 'GET', 1))('GET', '/e')
    expect(found).toMatchObject({ endpoint: 'GET:/e', limit: { rate: 1, per: 60 } })
    if (found === undefined) throw new Error('the endpoint has no rate')
    const counter = counterOfEndpoint(counterIn({ quota_max: 3, ...onA() }), found)
    expect(counter).toMatchObject({ rate: { rate: 1 }, quota: { max: 3 } })
    expect(rateCounterName(counter, false)).toBe('rate-limit-org1key-355a3178')
  })

  test('matches {name} as one segment and /* as the rest, anywhere in the path', () => {
    expect(rates(endpoint('/b/{id}$', 'GET', 1))('GET', '/b/7')).toBeDefined()
    expect(rates(endpoint('/b/{id}$', 'GET', 1))('GET', '/b/7/c')).toBeUndefined()
    expect(rates(endpoint('/b/*', 'GET', 1))('GET', '/x/b/7/c')).toBeDefined()
  })

  test('compares methods case-insensitively and uses the first match', () => {
    const rate = rates([...endpoint('/e', 'get', 1), ...endpoint('/e', 'GET', 5), ...endpoint('/e', 'PUT', 7)])
    expect(rate('GET', '/e')?.limit?.rate).toBe(1)
    expect(rate('put', '/e')?.limit?.rate).toBe(7)
    expect(rate('POST', '/e')).toBeUndefined()
  })

  test('for GET counts HEAD, unless HEAD has a rate of its own', () => {
    const own = [...endpoint('/own', 'HEAD', 2), ...endpoint('/', 'GET', 1)]
    expect(rates(own)('HEAD', '/e')).toMatchObject({ endpoint: 'GET:/', limit: { rate: 1 } })
    expect(rates(own)('HEAD', '/own')?.limit?.rate).toBe(2)
    expect(rates(endpoint('/e', 'HEAD', 1))('GET', '/e')).toBeUndefined()
  })

  test('with an invalid path is broken for every path of its methods, unless it only exempts', () => {
    const rate = rates([...endpoint('/e', 'GET', 1), ...endpoint('/x(', 'GET', 2), ...endpoint('/x(', 'PUT', 0)])
    expect(rate('GET', '/e')).toEqual({ endpoint: 'GET:/e', limit: expect.objectContaining({ rate: 1 }) })
    expect(rate('GET', '/other')?.isBroken).toBe(true)
    expect(rate('PUT', '/other')).toBeUndefined()
    expect(rate('POST', '/other')).toBeUndefined()
  })

  test.each([0, -1])('of %d exempts its endpoint from the rate of the key', (rate) => {
    const found = rates([...endpoint('/e', 'GET', rate), ...endpoint('/e', 'GET', 5)])('GET', '/e')
    if (found === undefined) throw new Error('the endpoint is not found')
    expect(counterOfEndpoint(counterIn({ rate: 1, per: 1, ...onA() }), found).rate).toBeUndefined()
  })
})

describe('allowed_urls', () => {
  const allows = (entries: Json[], routing: Partial<GatewaySettings['routing']> = {}) => {
    const access = accessOf(onA({ allowed_urls: entries }), {}, { routing: { ...plainSettings.routing, ...routing } })
    return (method: string, path: string) => access?.allowsUrl?.(method, path, `/a${path}`)
  }
  const get = (url: string) => [{ url, methods: ['GET'] }]

  test('permit every request if there are none', () => {
    expect(accessOf(onA({ allowed_urls: [] }))?.allowsUrl).toBeUndefined()
  })

  test.each(['', '^', '$', '^$'])('of the pattern %j match everything, and nothing with prefix matching', (url) => {
    const entries = get(url)
    expect(allows(entries)('GET', '/x')).toBe(true)
    expect(allows(entries, { pathPrefixMatching: true })('GET', '/x')).toBe(false)
  })

  test('match anywhere in the path, including the listen path', () => {
    expect(allows(get('/x'))('GET', '/y/x/z')).toBe(true)
    expect(allows(get('/a/x'))('GET', '/x')).toBe(true)
    expect(allows(get('/x'))('GET', '/y')).toBe(false)
  })

  test('compare methods case-sensitively, over all entries of a path', () => {
    const check = allows([...get('/x'), { url: '/x', methods: ['PUT'] }])
    expect([check('GET', '/x'), check('PUT', '/x'), check('get', '/x'), check('POST', '/x')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('match nothing if the pattern is invalid', () => {
    expect(allows(get('/x('))('GET', '/x(')).toBe(false)
  })

  test('are anchored by the gateway settings, with and without the listen path', () => {
    const check = allows([...get('/b'), ...get('/a/c')], { pathPrefixMatching: true, pathSuffixMatching: true })
    expect([check('GET', '/b'), check('GET', '/c'), check('GET', '/b/more'), check('GET', '/x/b')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('smoothing', () => {
  const smoothing = { enabled: true, threshold: 2, trigger: 0.5, step: 1, delay: 3 }
  const of = (values: Json, algorithm: GatewaySettings['limits']['algorithm'], on = true) =>
    accessOf(
      { rate: 5, per: 1, smoothing: values, ...onA() },
      {},
      {
        limits: { ...plainSettings.limits, algorithm, smoothing: on },
      },
    )?.rate?.smoothing

  test('works with the rolling window and the sentinel, if the gateway enables it', () => {
    expect(of(smoothing, 'rolling')).toEqual({ threshold: 2, trigger: 0.5, step: 1, delay: 3 })
    expect(of(smoothing, 'sentinel')).toBeDefined()
    expect(of(smoothing, 'fixed')).toBeUndefined()
    expect(of(smoothing, 'local')).toBeUndefined()
    expect(of(smoothing, 'rolling', false)).toBeUndefined()
  })

  test('needs to be enabled and every value above 0', () => {
    expect(of({ ...smoothing, enabled: false }, 'rolling')).toBeUndefined()
    expect(of({ ...smoothing, step: 0 }, 'rolling')).toBeUndefined()
  })
})
