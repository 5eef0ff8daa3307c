import { describe, expect, test } from 'vitest'
import type { SourceDocument } from '../../definition/definition-source.ts'
import { parsePolicies, readPolicy } from './parse-policies.ts'
import { isSafePolicyId, toWirePolicy } from './policy.ts'

function document(name: string, value: unknown): SourceDocument {
  return { name, text: typeof value === 'string' ? value : JSON.stringify(value), hash: '', problem: undefined }
}

const mapFile = (value: unknown) => ({ kind: 'map', document: document('policies.json', value) }) as const
const folder = (files: Record<string, unknown>) =>
  ({
    kind: 'folder',
    documents: Object.entries(files).map(([name, value]) => document(name, value)),
    problem: undefined,
  }) as const

describe('a file of policies', () => {
  test('identifies each policy by its key in the map, not by its id field', () => {
    const { book } = parsePolicies(mapFile({ gold: { id: 'silver', name: 'G' }, '': { name: 'nobody' } }))
    expect(book.get('gold')?.name).toBe('G')
    expect(book.get('silver')).toBeUndefined()
    expect(book.size).toBe(1)
  })

  test('that is invalid keeps the last good policies', () => {
    const good = parsePolicies(mapFile({ gold: { name: 'G' } }))
    const { book, problems } = parsePolicies(mapFile('{"gold":'), good)
    expect(book.get('gold')?.name).toBe('G')
    expect(problems).toMatchObject([
      { source: 'policies.json', keptOld: true, message: expect.stringContaining('JSON'), line: 1, column: 9 },
    ])
  })

  test('uses the fields of an entry that can be read, and names the others', () => {
    const rights = { a: { api_id: 'a', limit: { rate: '2', per: 1 } } }
    const entry = { rate: 7, per: '60', tags: 'x', access_rights: rights }
    const { book, problems, warnings } = parsePolicies(mapFile({ p: entry }))
    expect(book.get('p')).toMatchObject({ rate: 7, per: 60, tags: null, accessRights: { a: { apiId: 'a' } } })
    expect(book.get('p')?.accessRights?.['a']?.limit).toMatchObject({ rate: 2, per: 1 })
    expect(problems).toEqual([])
    expect(warnings).toEqual([
      expect.stringMatching(/^policies\.json "p": per must be a number.*; it counts as 60, correct it$/),
      expect.stringMatching(/^policies\.json "p": access_rights\.a\.limit\.rate .*; it counts as 2/),
      expect.stringMatching(/tags must be a list.*; the policy is used without it/),
    ])
    expect(parsePolicies(mapFile({ p: entry }), undefined, { strict: true }).book.size).toBe(0)
  })

  test.each([
    ['rate', { rate: 'fast' }],
    ['per', { per: [] }],
    ['quota_max', { quota_max: { max: 5 } }],
    ['quota_renewal_rate', { quota_renewal_rate: '1e3' }],
    ['max_query_depth', { max_query_depth: true }],
    ['key_expires_in', { key_expires_in: 'soon' }],
    ['is_inactive', { is_inactive: 'yes' }],
    ['org_id', { org_id: 7 }],
    ['partitions.acl', { partitions: { acl: 'yes' } }],
    ['access_rights', { access_rights: 'a' }],
    ['access_rights.a.limit.quota_max', { access_rights: { a: { limit: { quota_max: 'x' } } } }],
    ['access_rights.a.allowed_urls', { access_rights: { a: { allowed_urls: '/x' } } }],
    ['access_rights.a.versions', { access_rights: { a: { versions: 'v1' } } }],
  ])('does not use an entry whose %s cannot be read, because it would open more', (field, more) => {
    const { book, problems } = parsePolicies(mapFile({ p: { rate: 7, per: 60, ...more }, other: {} }))
    expect([...book.policies].map(({ id }) => id)).toEqual(['other'])
    expect(problems).toMatchObject([
      { source: 'policies.json "p"', keptOld: false, line: 1, message: expect.stringContaining(`${field} `) },
    ])
  })

  test('with one invalid entry loads the others and keeps the last good version of it', () => {
    const good = parsePolicies(mapFile({ gold: { name: 'G' }, gone: { name: 'x' } }))
    const { book, problems } = parsePolicies(mapFile({ gold: { rate: 'fast' }, tin: { name: 'T' } }), good)
    expect([book.get('gold')?.name, book.get('tin')?.name, book.get('gone')]).toEqual(['G', 'T', undefined])
    expect(problems).toEqual([
      {
        source: 'policies.json "gold"',
        keptOld: true,
        message: expect.stringContaining('rate must be a number'),
        line: 1,
        column: 17,
      },
    ])
  })
})

describe('a folder of policies', () => {
  test('loads one policy from each file with an id', () => {
    const { book, problems } = parsePolicies(folder({ 'a.json': { id: 'a' }, 'none.json': { name: 'x' } }))
    expect(book.policies.map(({ id }) => id)).toEqual(['a'])
    expect(problems).toEqual([])
  })

  test('can contain the same id for several organisations', () => {
    const { book } = parsePolicies(folder({ 'x.json': { id: 'p', org_id: 'x' }, 'y.json': { id: 'p', org_id: 'y' } }))
    expect(book.find('p', 'x')?.orgId).toBe('x')
    expect(book.find('p', 'z')).toBeUndefined()
    expect(book.get('p')?.orgId).toBe('y')
  })

  test('identifies a policy without id by its 24-digit database id', () => {
    const databaseId = '5e9d9544a1dcd60001d0ed20'
    expect(parsePolicies(folder({ 'a.json': { _id: databaseId } })).book.get(databaseId)?.id).toBe(databaseId)
    expect(parsePolicies(folder({ 'a.json': { _id: databaseId.toUpperCase() } })).book.get(databaseId)?.id).toBe(
      databaseId,
    )
    expect(parsePolicies(folder({ 'a.json': { _id: { $oid: databaseId } } })).book.get(databaseId)?.id).toBe(databaseId)
    const both = parsePolicies(folder({ 'a.json': { _id: databaseId, id: 'a' } })).book
    expect([both.get(databaseId), both.get('a')?.databaseId]).toEqual([undefined, databaseId])
  })

  test('that cannot be read keeps its policies', () => {
    const good = parsePolicies(folder({ 'a.json': { id: 'a' } }))
    const { book, problems } = parsePolicies({ kind: 'folder', documents: [], problem: 'gone' }, good)
    expect(book.size).toBe(1)
    expect(problems).toMatchObject([{ message: 'gone', keptOld: true }])
  })

  test('drops a policy whose file was deleted', () => {
    const good = parsePolicies(folder({ 'a.json': { id: 'a' }, 'b.json': { id: 'b' } }))
    expect(parsePolicies(folder({ 'b.json': { id: 'b' } }), good).book.get('a')).toBeUndefined()
  })
})

describe('fields without effect', () => {
  const files = folder({ 'a.json': { id: 'a', active: true, quotamax: 5 } })

  test('are warnings, those that no gateway acts on are listed apart', () => {
    const { book, warnings, stored } = parsePolicies(files)
    expect(book.get('a')).toBeDefined()
    expect(warnings).toEqual(['a.json: quotamax is not a known field and is ignored; did you mean "quota_max"?'])
    expect(stored).toEqual([{ source: 'a.json', field: 'active', instead: 'use is_inactive' }])
  })

  test('make the policy invalid with strict, which keeps the last good version', () => {
    const good = parsePolicies(folder({ 'a.json': { id: 'a', quota_max: 5 } }))
    const { book, problems } = parsePolicies(files, good, { strict: true })
    expect(book.get('a')?.quotaMax).toBe(5)
    expect(problems).toMatchObject([
      {
        source: 'a.json',
        line: 1,
        keptOld: true,
        message: 'quotamax is not a known field and is ignored; did you mean "quota_max"? ("strict" is on)',
      },
    ])
    expect(
      parsePolicies(mapFile({ a: { quotamax: 5 }, b: { active: true } }), undefined, { strict: true }).book.size,
    ).toBe(1)
  })
})

test('a policy in wire form has every field except an empty post-expiry action; its rights omit zero values', () => {
  const read = readPolicy({
    id: 'new1',
    org_id: 'org1',
    rate: 1,
    per: 2,
    quota_max: 3,
    quota_renewal_rate: 4,
    access_rights: { pa: { api_id: 'pa', versions: ['Default'] } },
  })
  if ('problem' in read) throw new Error(read.problem)
  expect(toWirePolicy(read.policy)).toEqual({
    _id: '',
    id: 'new1',
    name: '',
    org_id: 'org1',
    rate: 1,
    per: 2,
    quota_max: 3,
    quota_renewal_rate: 4,
    throttle_interval: 0,
    throttle_retry_limit: 0,
    max_query_depth: 0,
    access_rights: { pa: { api_id: 'pa', versions: ['Default'] } },
    hmac_enabled: false,
    enable_http_signature_validation: false,
    active: false,
    is_inactive: false,
    tags: null,
    key_expires_in: 0,
    post_expiry_grace_period: 0,
    partitions: { quota: false, rate_limit: false, acl: false, complexity: false, per_api: false },
    last_updated: '',
    meta_data: null,
    graphql_access_rights: null,
    smoothing: null,
  })
})

test.each([
  ['gold-1_2.3~x', true],
  ['a b', false],
  ['../x', false],
  ['..', false],
  ['', false],
])('the policy id %j is safe: %j', (id, safe) => {
  expect(isSafePolicyId(id)).toBe(safe)
})

test('`$schema` in a file of policies is not a policy', () => {
  const { book, problems } = parsePolicies(mapFile({ $schema: './policies.json', gold: { rate: 1 } }))
  expect([...book.policies.map(({ id }) => id)]).toEqual(['gold'])
  expect(problems).toEqual([])
})
