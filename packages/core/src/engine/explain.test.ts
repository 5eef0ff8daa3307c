import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf, type TestEngineOptions } from '../../test/support/test-engine.ts'
import { readShape } from '../lib/shape/shape.ts'
import { sessionShape } from '../ports/session.ts'

const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
const orders = definitionOf('orders', { ...keyed, name: 'Orders' })
const rights = { orders: { api_id: 'orders', versions: ['Default'] } }
const policies = {
  slow: {
    name: 'Slow plan',
    org_id: 'org1',
    rate: 1,
    per: 60,
    quota_max: 50,
    quota_renewal_rate: 3600,
    access_rights: rights,
  },
  quota: { org_id: 'org1', partitions: { quota: true }, quota_max: 1, quota_renewal_rate: 3600 },
  open: { org_id: 'org1', access_rights: rights },
  rate: { org_id: 'org1', partitions: { rate_limit: true }, rate: 1, per: 10 },
  acl: { org_id: 'org1', partitions: { acl: true }, access_rights: rights },
  urls: {
    org_id: 'org1',
    access_rights: { orders: { ...rights.orders, allowed_urls: [{ url: '/a', methods: ['GET'] }] } },
  },
  off: { org_id: 'org1', is_inactive: true, access_rights: rights },
  other: { org_id: 'org1', access_rights: { elsewhere: { api_id: 'elsewhere' } } },
}

async function explain(session: object | undefined, options: TestEngineOptions & { requests?: number } = {}) {
  const test = await makeTestEngine({ definitions: [orders], policies, ...options })
  if (session !== undefined) await test.putKey('org1anna', { org_id: 'org1', alias: 'Anna', ...session })
  const request = () => requestOf('GET', '/orders/x', { authorization: 'anna' })
  for (let i = 0; i < (options.requests ?? 1); i++) await test.engine.handle(request())
  return test.engine.explain(request(), false, () => 0)
}

describe('a rejection for a limit', () => {
  it('names the policy that sets the rate, and when to retry', async () => {
    const { why } = await explain({ apply_policies: ['slow'] })
    expect(why).toMatchObject({
      code: 'rate-exceeded',
      message: expect.stringMatching(
        /^policy "slow" \(Slow plan\) sets the rate of 1 request in 60 s; retry in \d+ s, at 2026-01-01T00:0\d:\d\dZ$/,
      ),
      setBy: [{ kind: 'policy', id: 'slow', name: 'Slow plan' }],
      retryAt: expect.any(Number),
    })
  })

  it('names only the policy that decides among several', async () => {
    const rate = await explain({ apply_policies: ['acl', 'rate'] })
    expect(rate.why?.setBy).toEqual([{ kind: 'policy', id: 'rate', name: '' }])
    const quota = await explain({ apply_policies: ['acl', 'quota'] })
    expect(quota.why).toMatchObject({
      code: 'quota-exceeded',
      message: expect.stringMatching(/^policy "quota" sets the quota of 1 request in 3600 s; retry in \d+ s, at /),
    })
  })

  it('names all policies that were combined into the limit', async () => {
    const combined = { ...policies, rare: { ...policies.rate, rate: 0.5, per: 2 } }
    const { why } = await explain({ apply_policies: ['acl', 'rate', 'rare'] }, { policies: combined, requests: 3 })
    expect(why?.code).toBe('rate-exceeded')
    expect(why?.setBy.map(({ id }) => id)).toContain('rare')
  })

  it('names the organisation if its rate is exceeded', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('open')] })
    await test.store.organisations.put('org1', readShape(sessionShape, { rate: 1, per: 60 }).value)
    const request = () => requestOf('GET', '/open/x')
    await test.engine.handle(request())
    const { why } = await test.engine.explain(request(), true, () => 0)
    expect(why).toMatchObject({ code: 'org-rate', setBy: [{ kind: 'organisation', id: 'org1' }] })
    expect(why?.message).toMatch(/^organisation "org1" sets the rate of 1 request in 60 s; retry in /)
  })

  it('names the key if no policy sets the limit', async () => {
    const { why } = await explain({ access_rights: rights, rate: 1, per: 60 })
    expect(why?.message).toMatch(/^key "[0-9a-f]+" \(Anna\) sets the rate of 1 request in 60 s; retry in /)
    expect(why?.setBy).toEqual([{ kind: 'key', id: expect.stringMatching(/^[0-9a-f]+$/), name: 'Anna' }])
  })

  it('names the API if its own rate is exceeded', async () => {
    const limited = definitionOf('orders', { ...keyed, global_rate_limit: { rate: 1, per: 30 } })
    const { why } = await explain({ access_rights: rights }, { definitions: [limited] })
    expect(why).toMatchObject({ code: 'api-rate-exceeded', setBy: [{ kind: 'api', id: 'orders' }] })
    expect(why?.message).toMatch(/^API "orders" sets the rate of 1 request in 30 s; retry in /)
  })

  it('says that a quota without a period never resets', async () => {
    const { why } = await explain({ access_rights: rights, quota_max: 1 })
    expect(why).toMatchObject({ message: expect.stringContaining('; it never resets'), retryAt: undefined })
  })
})

describe('a rejection for the key', () => {
  it.each<[string, object | undefined, RegExp, string[]]>([
    [
      'without access',
      { apply_policies: ['other'] },
      /^policy "other": access_rights do not list API "orders" \(Orders\)$/,
      ['policy other'],
    ],
    [
      'without access of its own',
      { access_rights: { elsewhere: {} } },
      /^key "\w+" \(Anna\): access_rights do not list/,
      ['key'],
    ],
    [
      'with limited URLs',
      { apply_policies: ['urls'] },
      /^policy "urls": allowed_urls of API "orders"/,
      ['policy urls'],
    ],
    ['inactive by a policy', { apply_policies: ['off'] }, /^policy "off": is_inactive is set/, ['policy off']],
    ['inactive', { access_rights: rights, is_inactive: true }, /^key "\w+" \(Anna\): is_inactive is set/, ['key']],
    [
      'expired',
      { access_rights: rights, expires: 1_000_000 },
      /^key "\w+" \(Anna\) expired at 1970-01-12T13:46:40Z/,
      ['key'],
    ],
    [
      'with a policy that does not exist',
      { apply_policies: ['gone'] },
      /cannot be applied: policy not found: "gone"$/,
      ['key'],
    ],
    ['that does not exist', undefined, /^no key of organisation "org1" matches the credential/, []],
  ])('%s', async (_, session, message, owners) => {
    const { why } = await explain(session)
    expect(why?.message).toMatch(message)
    expect(why?.setBy.map(({ kind, id }) => (kind === 'key' ? kind : `${kind} ${id}`))).toEqual(owners)
    expect(why?.retryAt).toBeUndefined()
  })

  it('is absent if no stage rejects the request', async () => {
    expect(await explain({ apply_policies: ['open'] })).toMatchObject({ why: undefined, nearest: [] })
  })
})

it('a path that the API forbids names the API', async () => {
  const lists = {
    use_extended_paths: true,
    extended_paths: { black_list: [{ path: '/x', method: 'GET', method_actions: { GET: { action: 'no_action' } } }] },
  }
  const version_data = { not_versioned: true, versions: { Default: { name: 'Default', ...lists } } }
  const { why } = await explain(undefined, { definitions: [definitionOf('orders', { version_data })] })
  expect(why).toMatchObject({ code: 'path-forbidden', setBy: [{ kind: 'api', id: 'orders' }] })
  expect(why?.message).toMatch(/^the definition of API "orders" decides in the stage \S+$/)
})

describe('an unknown path', () => {
  const paths = ['orders', 'orders/archive', 'customers', 'status']
  const definitions = paths.map((path) =>
    definitionOf(path.replace('/', '-'), { proxy: { listen_path: `/${path}/`, target_url: 'http://upstream.test' } }),
  )
  const nearestTo = async (path: string) => {
    const test = await makeTestEngine({ definitions: [...definitions, definitionOf('hidden', { internal: true })] })
    const { nearest, why } = await test.engine.explain(requestOf('GET', path), true, () => 0)
    expect(why).toBeUndefined()
    return nearest.map(({ listenPath }) => listenPath)
  }

  it.each([
    ['/oders/1', '/orders/'],
    ['/Status', '/status/'],
    ['/customer/7/address', '/customers/'],
    ['/order/archive/2020', '/orders/archive/'],
  ])('%s is nearest to %s', async (path, listenPath) => {
    const nearest = await nearestTo(path)
    expect(nearest[0]).toBe(listenPath)
    expect(nearest).toHaveLength(3)
  })

  it('names API and host', async () => {
    const withHost = definitionOf('orders', { name: 'Orders', domain: 'orders.test' })
    const test = await makeTestEngine({ definitions: [withHost], settings: { customDomains: true } })
    const { nearest } = await test.engine.explain(requestOf('GET', '/orders/x'), true, () => 0)
    expect(nearest).toEqual([{ listenPath: '/orders/', apiId: 'orders', apiName: 'Orders', host: 'orders.test' }])
  })
})
