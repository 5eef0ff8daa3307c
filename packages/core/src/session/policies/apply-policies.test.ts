import { describe, expect, test } from 'vitest'
import type { Session } from '../../ports/session.ts'
import { parseSession, toWireSession } from '../session-json.ts'
import { applyPolicies } from './apply-policies.ts'
import { readPolicy } from './parse-policies.ts'
import type { Policy } from './policy.ts'
import { makePolicyBook } from './policy-book.ts'

type Json = Record<string, unknown>

const onPa = { pa: { api_id: 'pa', versions: ['Default'] } }
const part = (name: string) => ({ partitions: { [name]: true } })

const templates: Record<string, Json> = {
  plain: {
    rate: 7,
    per: 2,
    quota_max: 50,
    quota_renewal_rate: 120,
    throttle_interval: 1.5,
    throttle_retry_limit: 4,
    access_rights: onPa,
    tags: ['gold'],
    meta_data: { plan: 'gold', n: 2 },
  },
  slow: { rate: 2, per: 10, quota_max: 5, quota_renewal_rate: 60, access_rights: onPa },
  fast: { rate: 10, per: 1, quota_max: 3, quota_renewal_rate: 600, access_rights: onPa },
  endless: { rate: 1, per: 1, quota_max: -1, quota_renewal_rate: 10, access_rights: onPa },
  onb: { rate: 3, per: 30, quota_max: 30, quota_renewal_rate: 300, access_rights: { pb: { versions: ['Default'] } } },
  both: { quota_max: 2, quota_renewal_rate: 3600, access_rights: { ...onPa, pb: { versions: ['Default'] } } },
  qpart: { rate: 99, per: 1, quota_max: 8, quota_renewal_rate: 80, access_rights: onPa, ...part('quota') },
  rpart: { rate: 4, per: 40, quota_max: 99, quota_renewal_rate: 99, access_rights: onPa, ...part('rate_limit') },
  apart: {
    access_rights: { pa: { api_id: 'pa', versions: ['Default'], allowed_urls: [{ url: '/one', methods: ['GET'] }] } },
    ...part('acl'),
  },
  apart2: {
    access_rights: {
      pa: {
        versions: ['v2'],
        allowed_urls: [
          { url: '/one', methods: ['POST'] },
          { url: '/two', methods: ['GET'] },
        ],
      },
    },
    ...part('acl'),
  },
  perapi: {
    rate: 9,
    per: 90,
    quota_max: 90,
    quota_renewal_rate: 900,
    access_rights: {
      pa: { api_id: 'pa', versions: ['Default'], limit: { rate: 2, per: 20, quota_max: 2, quota_renewal_rate: 3600 } },
      pb: { api_id: 'pb', versions: ['Default'] },
    },
    ...part('per_api'),
  },
  permore: {
    access_rights: { pa: { versions: ['v2'], limit: { rate: 6, per: 20, quota_max: 1, quota_renewal_rate: 60 } } },
    ...part('per_api'),
  },
  perendless: {
    access_rights: { pa: { limit: { rate: 1, per: 1, quota_max: -1, quota_renewal_rate: 60 } } },
    ...part('per_api'),
  },
  broken: { access_rights: onPa, partitions: { per_api: true, quota: true } },
  dead: { is_inactive: true, access_rights: onPa },
  noacl: { rate: 5, per: 50, quota_max: 55, quota_renewal_rate: 500 },
  other: { org_id: 'org2', access_rights: { pc: {} } },
  meta2: { access_rights: onPa, meta_data: { plan: 'silver', extra: true } },
  later: { access_rights: onPa, last_updated: '2000', post_expiry_action: 'retain', post_expiry_grace_period: 9 },
  hmac: { hmac_enabled: true, enable_http_signature_validation: true, access_rights: onPa },
  eps: { access_rights: { pa: { endpoints: endpoint('/e', 'GET', 1, 3600) } } },
  epsmore: {
    access_rights: { pa: { endpoints: [...endpoint('/e', 'GET', 2, 3600), ...endpoint('/f', 'PUT', 1, 1)] } },
  },
}

function endpoint(path: string, name: string, rate: number, per: number): Json[] {
  return [{ path, methods: [{ name, limit: { rate, per } }] }]
}

function policyOf(id: string, json: Json): Policy {
  const read = readPolicy({ id, org_id: 'org1', ...json })
  if ('problem' in read) throw new Error(read.problem)
  return read.policy
}

const book = makePolicyBook(Object.entries(templates).map(([id, json]) => policyOf(id, json)))

function sessionOf(json: Json): Session {
  const parsed = parseSession({ org_id: 'org1', ...json })
  if (parsed.session === undefined) throw new Error(parsed.problem)
  return parsed.session
}

function applied(names: string[], own: Json = {}): Json {
  return toWireSession(applyPolicies(sessionOf({ ...own, apply_policies: names }), book, { orgId: 'org1' }).session)
}

function problemOf(names: string[], own: Json = {}, api: { orgId: string } | undefined = { orgId: 'org1' }) {
  return applyPolicies(sessionOf({ ...own, apply_policies: names }), book, api).problem
}

describe('a policy', () => {
  test('gives access, rate, quota, throttling, tags and meta data', () => {
    expect(applied(['plain'])).toEqual({
      org_id: 'org1',
      apply_policies: ['plain'],
      rate: 7,
      per: 2,
      quota_max: 50,
      quota_renewal_rate: 120,
      throttle_interval: 1.5,
      throttle_retry_limit: 4,
      tags: ['gold'],
      meta_data: { plan: 'gold', n: 2 },
      access_rights: {
        pa: {
          versions: ['Default'],
          limit: {
            rate: 7,
            per: 2,
            quota_max: 50,
            quota_renewal_rate: 120,
            throttle_interval: 1.5,
            throttle_retry_limit: 4,
          },
        },
      },
    })
  })

  test('replaces limits and access rights of the session', () => {
    const own = { rate: 1000, per: 1, quota_max: 9999, quota_renewal_rate: 1, access_rights: { pb: {} } }
    const session = applied(['plain'], own)
    expect(session).toMatchObject({ rate: 7, per: 2, quota_max: 50, quota_renewal_rate: 120 })
    expect(Object.keys(session.access_rights as Json)).toEqual(['pa'])
  })

  test('overrides the metadata of the key, and later policies override earlier ones', () => {
    expect(applied(['plain', 'meta2'], { meta_data: { plan: 'mine', own: 1 } }).meta_data).toEqual({
      plan: 'silver',
      n: 2,
      own: 1,
      extra: true,
    })
  })

  test('in apply_policy_id applies unless apply_policies has entries', () => {
    const alone = applyPolicies(sessionOf({ apply_policy_id: 'plain' }), book)
    expect(alone.session.rate).toBe(7)
    const hidden = applyPolicies(sessionOf({ apply_policy_id: 'onb', apply_policies: ['plain'] }), book)
    expect(Object.keys(hidden.session.accessRights ?? {})).toEqual(['pa'])
  })

  test('decides whether the key is inactive; the flag of the key is ignored', () => {
    expect(applied(['plain'], { is_inactive: true }).is_inactive).toBeUndefined()
    expect(applied(['plain', 'dead']).is_inactive).toBe(true)
  })

  test('can enable signatures, but not disable them', () => {
    expect(applied(['hmac'])).toMatchObject({ hmac_enabled: true, enable_http_signature_validation: true })
    expect(applied(['plain'], { hmac_enabled: true }).hmac_enabled).toBe(true)
  })

  test('sets its post-expiry action, and its last_updated if that is greater as text', () => {
    const session = applied(['later'], { last_updated: '1999', post_expiry_action: 'delete' })
    expect(session).toMatchObject({ last_updated: '2000', post_expiry_action: 'retain', post_expiry_grace_period: 9 })
    expect(applied(['later'], { last_updated: '3' }).last_updated).toBe('3')
  })

  test('can be part of the metadata of the key', () => {
    const inline = [{ id: 'own', org_id: 'org1', quota_max: 3, access_rights: onPa }]
    const session = applied(['ghost'], { meta_data: { policies: inline } })
    expect(session).toMatchObject({ quota_max: 3, access_rights: { pa: { limit: { quota_max: 3 } } } })
  })

  test('without access rights gives the session its values', () => {
    expect(applied(['plain', 'noacl'])).toMatchObject({ access_rights: { pa: { limit: { rate: 7, quota_max: 50 } } } })
    expect(applied(['noacl'], { rate: 1, per: 1 })).toMatchObject({ rate: 5, per: 50, quota_max: 55 })
  })
})

describe('of several policies', () => {
  test.each([[['slow', 'fast']], [['fast', 'slow']]])('the higher rate, quota and period win: %j', (names) => {
    const limit = { rate: 10, per: 1, quota_max: 5, quota_renewal_rate: 600 }
    expect(applied(names)).toMatchObject({ ...limit, access_rights: { pa: { limit } } })
  })

  test('a quota of −1 is the highest', () => {
    expect(applied(['slow', 'endless'])).toMatchObject({ quota_max: -1, quota_renewal_rate: 60 })
    expect(applied(['endless', 'slow'])).toMatchObject({ quota_max: -1, quota_renewal_rate: 60 })
  })

  test('each API has the limits and the scope of its policy', () => {
    expect(applied(['slow', 'onb']).access_rights).toMatchObject({
      pa: { allowance_scope: 'slow', limit: { rate: 2, per: 10, quota_max: 5 } },
      pb: { allowance_scope: 'onb', limit: { rate: 3, per: 30, quota_max: 30 } },
    })
  })

  test('one policy over many APIs has no scope: its quota is shared', () => {
    const rights = applied(['both']).access_rights as Record<string, Json>
    expect(rights.pa?.allowance_scope).toBeUndefined()
    expect(rights.pb?.allowance_scope).toBeUndefined()
  })

  test('versions are merged in order, and allowed URLs by url', () => {
    expect(applied(['apart', 'apart2']).access_rights).toMatchObject({
      pa: {
        versions: ['Default', 'v2'],
        allowed_urls: [
          { url: '/one', methods: ['GET', 'POST'] },
          { url: '/two', methods: ['GET'] },
        ],
      },
    })
  })

  test('an unknown one is ignored', () => {
    expect(problemOf(['ghost', 'plain'])).toBeUndefined()
    expect(applied(['ghost', 'plain'])).toMatchObject({ rate: 7 })
  })

  test.each([[['eps', 'epsmore']], [['epsmore', 'eps']]])('the higher endpoint rate wins: %j', (names) => {
    const rights = applied(names).access_rights as Record<string, { endpoints: unknown[] }>
    expect(rights.pa?.endpoints).toEqual(
      expect.arrayContaining([...endpoint('/e', 'GET', 2, 3600), ...endpoint('/f', 'PUT', 1, 1)]),
    )
  })
})

describe('a partition', () => {
  test('`quota` sets only the quota', () => {
    const limit = { rate: 33, per: 3, quota_max: 8, quota_renewal_rate: 80 }
    expect(applied(['qpart', 'apart'], { rate: 33, per: 3 })).toMatchObject({
      ...limit,
      access_rights: { pa: { limit } },
    })
  })

  test('`rate_limit` sets only the rate', () => {
    const own = { quota_max: 44, quota_renewal_rate: 400 }
    expect(applied(['rpart', 'apart'], own)).toMatchObject({ rate: 4, per: 40, ...own })
  })

  test('policies of all kinds together are equivalent to one unpartitioned policy', () => {
    expect(applied(['qpart', 'rpart', 'apart'])).toMatchObject({
      rate: 4,
      per: 40,
      quota_max: 8,
      quota_renewal_rate: 80,
      access_rights: {
        pa: { allowed_urls: [{ url: '/one', methods: ['GET'] }], limit: { rate: 4, per: 40, quota_max: 8 } },
      },
    })
  })
})

describe('a policy per API', () => {
  test('has separate limits and counters for each API', () => {
    expect(applied(['perapi']).access_rights).toMatchObject({
      pa: { allowance_scope: 'pa', limit: { rate: 2, per: 20, quota_max: 2 } },
      pb: { allowance_scope: 'perapi', limit: { rate: 9, per: 90, quota_max: 90, quota_renewal_rate: 900 } },
    })
  })

  test('of several the higher values win for each API', () => {
    expect(applied(['perapi', 'permore']).access_rights).toMatchObject({
      pa: { versions: ['Default', 'v2'], limit: { rate: 6, per: 20, quota_max: 2, quota_renewal_rate: 3600 } },
      pb: { limit: { quota_max: 90 } },
    })
  })

  test('with an endless quota has no quota period', () => {
    const rights = applied(['perapi', 'perendless']).access_rights as Record<string, { limit: Json }>
    expect(rights.pa?.limit).toMatchObject({ quota_max: -1, rate: 1, per: 1 })
    expect(rights.pa?.limit.quota_renewal_rate).toBeUndefined()
  })

  test('keeps the counter values in the session', () => {
    const own = { access_rights: { pa: { limit: { quota_max: 2, quota_renews: 99, quota_remaining: 1 } } } }
    expect(applied(['perapi'], own).access_rights).toMatchObject({
      pa: { limit: { quota_renews: 99, quota_remaining: 1 } },
    })
  })
})

describe('policies cannot be applied', () => {
  test.each([
    [['ghost'], 'policy not found: "ghost"'],
    [['other'], 'policy not found: "other"'],
    [['broken'], 'cannot apply policy broken which has per_api and any of partitions set'],
    [['perapi', 'qpart'], 'cannot apply multiple policies when some have per_api set and some are partitioned'],
    [['qpart', 'perapi'], 'cannot apply multiple policies when some have per_api set and some are partitioned'],
    [['noacl'], 'key has no valid policies to be applied'],
    [['qpart'], 'key has no valid policies to be applied'],
    [['ghost', 'phantom'], 'key has no valid policies to be applied'],
  ])('%j: %s', (names, problem) => {
    expect(problemOf(names)).toBe(problem)
  })

  test('for an API of another organisation', () => {
    expect(problemOf(['plain'], {}, { orgId: 'org2' })).toBe(
      'attempting to apply policy from different organisation to key, skipping',
    )
    expect(problemOf(['plain'], {}, undefined)).toBeUndefined()
  })

  test('but an unpartitioned and a per_api policy can be combined', () => {
    expect(problemOf(['onb', 'permore'])).toBeUndefined()
    expect(problemOf(['permore', 'onb'])).toBeUndefined()
  })
})

describe('a per_api policy beside an unpartitioned one', () => {
  const rights = { access_rights: { pa: { api_id: 'pa' } } }
  const higher = policyOf('higher', { rate: 7, per: 60, quota_max: -1, ...rights })
  const lower = (more: object = {}) =>
    policyOf('lower', { rate: 3, per: 60, quota_max: -1, partitions: { per_api: true }, ...rights, ...more })

  test('gets no scope if the limits of the other one are higher', () => {
    const { session } = applyPolicies(
      sessionOf({ apply_policies: ['higher', 'lower'] }),
      makePolicyBook([higher, lower()]),
    )
    expect(session.accessRights?.pa).toMatchObject({ allowanceScope: '', limit: { rate: 7 } })
    const raised = makePolicyBook([higher, lower({ rate: 9 })])
    expect(
      applyPolicies(sessionOf({ apply_policies: ['higher', 'lower'] }), raised).session.accessRights?.pa,
    ).toMatchObject({
      allowanceScope: 'lower',
      limit: { rate: 9 },
    })
  })

  test('does not let the key sign requests, although another policy does', () => {
    const signs = { enable_http_signature_validation: true }
    const apply = (policy: Policy) =>
      applyPolicies(sessionOf({ apply_policies: [policy.id] }), makePolicyBook([policy])).session
    expect(apply(lower(signs)).enableHttpSignatureValidation).toBe(false)
    expect(apply(policyOf('p', { ...rights, ...signs })).enableHttpSignatureValidation).toBe(true)
  })
})

describe('tags and the time after expiry', () => {
  const rights = { access_rights: { pa: { api_id: 'pa' } } }
  const tagsOf = (tags: string[] | undefined, policy?: object) => {
    const made = policy === undefined ? [] : [policyOf('p', { ...rights, ...policy })]
    const names = policy === undefined ? {} : { apply_policies: ['p'] }
    return applyPolicies(sessionOf({ ...(tags === undefined ? {} : { tags }), ...names }), makePolicyBook(made)).session
  }

  test('are sorted, and each tag occurs once', () => {
    expect(tagsOf(['b', 'a', 'a']).tags).toEqual(['a', 'b'])
    expect(tagsOf(['b', 'a', 'a'], {}).tags).toEqual(['a', 'b'])
    expect(tagsOf(['b'], { tags: ['c', 'a', 'b'] }).tags).toEqual(['a', 'b', 'c'])
    expect(tagsOf(undefined, {}).tags).toBeNull()
  })

  test('come from the policy if it sets them', () => {
    expect(tagsOf(undefined, { post_expiry_grace_period: 60 })).toMatchObject({
      postExpiryAction: '',
      postExpiryGracePeriod: 60,
    })
  })
})

describe('a session without policies', () => {
  const own = { access_rights: { pa: { allowance_scope: 'x', limit: { rate: 1, per: 1 } }, pb: { limit: {} } } }

  test('has a separate counter on each API with its own limit', () => {
    const { session } = applyPolicies(sessionOf(own), book)
    expect(session.accessRights?.pa?.allowanceScope).toBe('pa')
    expect(session.accessRights?.pb?.allowanceScope).toBe('')
  })

  test('keeps its own inactive flag', () => {
    expect(applyPolicies(sessionOf({ is_inactive: true }), book).session.isInactive).toBe(true)
  })
})
