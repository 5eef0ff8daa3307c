import { describe, expect, test } from 'vitest'
import { candidateNames, type KeyNameSettings, makeKeyName, orgOfKeyName, storedNameOf } from './key-name.ts'

const plain: KeyNameSettings = {
  hashKeys: false,
  hashFunction: '',
  hashFunctionFallback: [],
  actionsByUsername: true,
}

describe('the full name of a key', () => {
  test.each([
    ['org1', 'mykey', 'murmur64', 'eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJtdXJtdXI2NCJ9'],
    ['org1', 'mykey', 'murmur32', 'eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJtdXJtdXIzMiJ9'],
    ['org1', 'mykey', 'murmur128', 'eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJtdXJtdXIxMjgifQ=='],
    ['', 'mykey', 'murmur64', 'eyJvcmciOiIiLCJpZCI6Im15a2V5IiwiaCI6Im11cm11cjY0In0='],
    ['org1', 'mykey', '', 'org1mykey'],
    ['org1', 'org1mykey', '', 'org1mykey'],
    ['org1', 'org1mykey', 'murmur64', 'eyJvcmciOiJvcmcxIiwiaWQiOiJteWtleSIsImgiOiJtdXJtdXI2NCJ9'],
    ['', 'mykey', '', 'mykey'],
  ] as const)('of %j and %j with %j', (org, id, fn, name) => {
    expect(makeKeyName(org, id, fn)).toBe(name)
  })

  test.each([
    ['eyJ', ''],
    ['eyJvcmciOiJvcmcxIn0=', 'org1'],
    ['org1abc', ''],
    ['5e9d9544a1dcd60001d0ed20abc', '5e9d9544a1dcd60001d0ed20'],
    ['5e9d9544a1dcd60001d0ed20', ''],
    ['zz9d9544a1dcd60001d0ed20abc', ''],
  ])('%j contains the organisation %j', (name, org) => {
    expect(orgOfKeyName(name)).toBe(org)
  })

  test('is the stored name unless keys are hashed', () => {
    expect(storedNameOf('org1mykey', false)).toBe('org1mykey')
    expect(storedNameOf('org1mykey', true)).toBe('d4a9b51c')
  })
})

describe('a credential', () => {
  test('is tried with the organisation first, then unchanged', () => {
    expect(candidateNames('mykey', 'org1', plain)).toEqual(['org1mykey', 'mykey'])
  })

  test('that starts with the organisation is not prefixed twice', () => {
    expect(candidateNames('org1mykey', 'org1', plain)).toEqual(['org1mykey'])
  })

  test('that names the organisation itself is the only candidate', () => {
    const name = makeKeyName('org1', 'mykey', 'sha256')
    expect(candidateNames(name, 'org1', { ...plain, hashFunction: 'sha256' })).toEqual([name])
  })

  test('is also tried under names made with the fallback hash functions', () => {
    const settings = { ...plain, hashFunction: 'sha256', hashFunctionFallback: ['murmur64', ''] } as const
    expect(candidateNames('mykey', 'org1', settings)).toEqual([
      makeKeyName('org1', 'mykey', 'sha256'),
      'mykey',
      makeKeyName('org1', 'mykey', 'murmur64'),
      'org1mykey',
    ])
  })

  test('is only tried unchanged with disable_key_actions_by_username', () => {
    expect(candidateNames('mykey', 'org1', { ...plain, actionsByUsername: false })).toEqual(['mykey'])
  })
})
