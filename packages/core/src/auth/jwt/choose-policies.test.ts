import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../session/policies/parse-policies.ts'
import { makePolicyBook } from '../../session/policies/policy-book.ts'
import { choosePolicies, type PolicyRules } from './choose-policies.ts'

const policy = (id: string, orgId = 'o') => {
  const read = readPolicy({ id, org_id: orgId })
  if ('problem' in read) throw new Error(read.problem)
  return read.policy
}
const book = makePolicyBook([policy('a'), policy('b'), policy('r'), policy('w'), policy('other', 'p')])
const plain: PolicyRules = {
  orgId: 'o',
  policyFields: ['pol'],
  defaultPolicies: [],
  scopeClaim: 'scope',
  scopeToPolicy: new Map(),
}
const scoped = {
  ...plain,
  scopeToPolicy: new Map([
    ['read', ['r']],
    ['write', ['w']],
  ]),
}
const choose = (rules: PolicyRules, claims: object, isKnown = false, clientPolicies: string[] = []) => {
  const choice = choosePolicies(rules, { claims: { ...claims }, isKnown, clientPolicies }, book)
  return choice.kind === 'policies' ? choice.ids : choice.kind
}

describe('policies of a token', () => {
  it('come from the claim, else from the key of the client, else from the defaults', () => {
    const rules = { ...plain, defaultPolicies: ['b'] }
    expect(choose(rules, { pol: 'a' }, false, ['r'])).toEqual(['a'])
    expect(choose(rules, {}, false, ['r', 'w'])).toEqual(['r', 'w'])
    expect(choose(rules, {})).toEqual(['b'])
    expect(choose(rules, { pol: '' })).toEqual(['b'])
    expect(choose(rules, { pol: 7 })).toEqual(['b'])
    expect(choose(plain, {})).toBe('no-policy')
  })

  it('come from the first claim that is not empty', () => {
    const rules = { ...plain, policyFields: ['first', 'second'] }
    expect(choose(rules, { second: 'b' })).toEqual(['b'])
    expect(choose(rules, { first: '', second: 'b' })).toEqual(['b'])
    expect(choose(rules, { first: 'a', second: 'b' })).toEqual(['a'])
  })

  it('must exist and belong to the organisation of the API', () => {
    expect(choose(plain, { pol: 'nobody' })).toBe('unknown-policy')
    expect(choose(plain, { pol: 'other' })).toBe('unknown-policy')
    expect(choose({ ...plain, defaultPolicies: ['other'] }, {})).toBe('unknown-policy')
    expect(choose({ ...plain, defaultPolicies: ['other', 'a'] }, {})).toEqual(['other', 'a'])
  })

  it('of scopes are added to those of the token and replace the defaults', () => {
    expect(choose(scoped, { pol: 'a', scope: 'read' })).toEqual(['a', 'r'])
    expect(choose({ ...scoped, defaultPolicies: ['b'] }, { scope: ['read', 'write', 'read'] })).toEqual(['r', 'w'])
    expect(choose({ ...scoped, defaultPolicies: ['b'] }, {})).toEqual(['b'])
  })

  it('scopes without a policy have another error than missing scopes', () => {
    expect(choose(scoped, { scope: 'admin' })).toBe('scope-unmapped')
    expect(choose(scoped, { scope: 'admin  read' })).toEqual(['r'])
    expect(choose(scoped, {})).toBe('no-policy')
    expect(choose(scoped, {}, true)).toBe('no-scope-or-policy')
    expect(choose(scoped, { scope: '' }, true)).toBe('no-scope-or-policy')
    expect(choose(plain, { scope: 'admin' }, true)).toBe('no-policy')
  })
})
