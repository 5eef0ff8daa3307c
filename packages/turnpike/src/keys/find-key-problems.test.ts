import { makePolicyBook } from '@turnpike/core/session'
import { describe, expect, it } from 'vitest'
import { toPolicy, toSession } from '../gateway/convert-documents.ts'
import type { SessionDocument } from '../gateway/document-types.ts'
import { findKeyProblems, formatKeyProblem, type KeyFacts } from './find-key-problems.ts'

const rights = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { api_id: id, versions: ['Default'] }]))

const facts: KeyFacts = {
  settings: { minTokenLength: 3, hashFunction: '' },
  policies: makePolicyBook([
    toPolicy({ id: 'slow', org_id: 'acme', rate: 1, per: 1, access_rights: rights('orders') }),
    toPolicy({ id: 'later', org_id: 'acme', access_rights: rights('not-yet') }),
    toPolicy({ id: 'abroad', org_id: 'acme', access_rights: rights('foreign') }),
    toPolicy({ id: 'quota-only', org_id: 'acme', partitions: { quota: true }, quota_max: 5 }),
  ]),
  apis: new Map([
    ['orders', { orgId: 'acme', versions: undefined }],
    ['foreign', { orgId: 'other', versions: undefined }],
    ['versioned', { orgId: 'acme', versions: ['v1', 'v2'] }],
    ['open', { orgId: '', versions: undefined }],
  ]),
  allowsUnknownApis: true,
}

const problemsOf = (id: string | undefined, session: SessionDocument, more: Partial<KeyFacts> = {}) =>
  findKeyProblems(id, toSession(session), { ...facts, ...more }).map(formatKeyProblem)

describe('a key that can work', () => {
  it.each<[string, SessionDocument]>([
    ['a policy of its organisation', { org_id: 'acme', apply_policies: ['slow'] }],
    ['an API of its organisation', { org_id: 'acme', access_rights: rights('orders') }],
    ['an API without an organisation', { org_id: 'acme', access_rights: rights('open') }],
    ['no organisation', { access_rights: rights('orders') }],
    ['one API that is not served yet', { org_id: 'acme', access_rights: rights('orders', 'not-yet') }],
    ['a version that exists', { access_rights: { versioned: { versions: ['v0', 'v2'] } } }],
    [
      'policies in its metadata',
      { org_id: 'acme', meta_data: { policies: [{ id: 'p', access_rights: rights('orders') }] } },
    ],
  ])('%s', (_, session) => {
    expect(problemsOf('anna', session)).toEqual([])
  })

  it('a basic user with a short name, where full names are long', () => {
    const session = { org_id: 'acme', access_rights: rights('orders'), basic_auth_data: { password: 'x' } }
    const settings = { minTokenLength: 3, hashFunction: 'murmur64' } as const
    expect(problemsOf('bo', session, { settings })).toEqual([])
    expect(problemsOf('bo', session)).toHaveLength(1)
  })
})

describe('a key that cannot work', () => {
  it.each<[string | undefined, SessionDocument, string]>([
    [
      'bob',
      { org_id: 'acme', access_rights: rights('orders') },
      'the name "bob" is too short: the gateway rejects credentials of up to 3 characters (min_token_length) (use 4 characters or more)',
    ],
    [
      undefined,
      { org_id: 'acme', apply_policies: ['slwo'] },
      'the gateway has no policy "slwo" (did you mean "slow"?)',
    ],
    [
      undefined,
      { apply_policies: ['slow'] },
      'policy "slow" belongs to organisation "acme", and the key to no organisation (set the organisation (org_id) of the key to "acme")',
    ],
    [
      undefined,
      { org_id: 'other', apply_policies: ['slow'] },
      'policy "slow" belongs to organisation "acme", and the key to organisation "other" (set the organisation (org_id) of the key to "acme")',
    ],
    [
      undefined,
      { org_id: 'acme', access_rights: rights('foreign') },
      'API "foreign" belongs to organisation "other", and the key to organisation "acme" (set the organisation (org_id) of the key to "other")',
    ],
    [
      undefined,
      { org_id: 'acme', apply_policies: ['abroad'] },
      'API "foreign" belongs to organisation "other", and the key to organisation "acme" (set the organisation (org_id) of the key to "other")',
    ],
    [undefined, { access_rights: rights('oders') }, 'the gateway has no API "oders" (did you mean "orders"?)'],
    [
      undefined,
      { org_id: 'acme', apply_policies: ['later'] },
      'the gateway has no API "not-yet" (it has "orders", "foreign", "versioned", "open")',
    ],
    [
      undefined,
      { org_id: 'acme', apply_policies: ['quota-only'] },
      'its policies cannot be applied: key has no valid policies to be applied (choose policies that can be combined, see docs/reference/policies.md)',
    ],
    [
      undefined,
      { access_rights: rights('versioned') },
      'the key may use version "Default" of API "versioned", which has only "v1", "v2" (name one of the versions "v1", "v2")',
    ],
  ])('%s %j', (id, session, problem) => {
    expect(problemsOf(id, session)).toEqual([problem])
  })

  it('names each unknown API if none may be unknown', () => {
    const session = { access_rights: rights('orders', 'ordres', 'not-yet') }
    expect(problemsOf(undefined, session, { allowsUnknownApis: false })).toHaveLength(2)
  })
})
