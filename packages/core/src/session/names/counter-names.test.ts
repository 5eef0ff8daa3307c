import { describe, expect, test } from 'vitest'
import {
  apiRateName,
  localRateName,
  makeCounterNames,
  orgCounterKey,
  quotaCounterName,
  rateCounterName,
  storedNamesIn,
} from './counter-names.ts'

// Names that a running gateway used: facts of conformance/redis-vectors.json.
describe('the counters of a key', () => {
  test('are named after its stored name and the scope', () => {
    expect(quotaCounterName('470fd9a6', '')).toBe('quota-470fd9a6')
    expect(quotaCounterName('470fd9a6', 'a1')).toBe('quota-a1-470fd9a6')
    expect(rateCounterName('470fd9a6', '')).toBe('rate-limit-470fd9a6')
    expect(rateCounterName('470fd9a6', 'a1')).toBe('rate-limit-a1-470fd9a6')
  })

  test('lose dashes at the ends of each part of a rate', () => {
    expect(rateCounterName('-abc-', '-scope-')).toBe('rate-limit-scope-abc')
  })

  test('of an endpoint end in the hash of method and path', () => {
    expect(rateCounterName('org165d3bc4aa94941768563e0d204978c8e', '', 'GET:/e')).toBe(
      'rate-limit-org165d3bc4aa94941768563e0d204978c8e-355a3178',
    )
  })

  test('in memory start anew with each update', () => {
    expect(localRateName('rate-limit-abc', '1795256212')).toBe('rate-limit-abc:1795256212')
  })
})

test('stored names are among those that the name of a counter may be of', () => {
  expect(storedNamesIn(quotaCounterName('470fd9a6', ''))).toEqual(['470fd9a6'])
  expect(storedNamesIn(quotaCounterName('-a:b', 's-t'))).toEqual(['s-t--a:b', 't--a:b', '-a:b', 'a:b'])
  expect(storedNamesIn(localRateName(rateCounterName('a:b', 's'), '17'))).toEqual(['s-a:b', 'a:b'])
  for (const other of ['', 'quota', 'rate-limit-abc', 'apilimiter-org1']) expect(storedNamesIn(other)).toEqual([])
  expect(storedNamesIn(`quota-${'-'.repeat(1000)}`).length).toBeLessThan(20)
  for (let dashes = 0; dashes < 20; dashes++) {
    const names = makeCounterNames(`${'s-'.repeat(dashes)}s`)
    const told = [storedNamesIn(names.quota('key')), storedNamesIn(localRateName(names.rate('key', ''), '17'))]
    expect(told.map((stored) => stored.includes('key'))).toEqual([names.isTold, names.isTold])
  }
})

describe('the counters of an API', () => {
  test('are named after organisation and API', () => {
    expect(apiRateName({ orgId: 'org1', id: 'l1' }, '', false)).toBe('rate-limit-apilimiter-org1l1')
  })

  test('of a path end in the hash of method and path', () => {
    expect(apiRateName({ orgId: 'org1', id: 'l1' }, 'GET:/ep', false)).toBe('rate-limit-apilimiter-org1l1-355a3178')
  })

  test('are hashed as a whole where keys are hashed', () => {
    expect(apiRateName({ orgId: 'org1', id: 'limited' }, '', true)).toBe('rate-limit-0c6475f7')
  })
})

test('an organisation counts under its id, or its murmur32', () => {
  expect(orgCounterKey('org1abcd', false)).toBe('org1abcd')
  expect(orgCounterKey('abcd', true)).toBe('86a7049e')
})
