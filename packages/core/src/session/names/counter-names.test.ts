import { describe, expect, test } from 'vitest'
import type { CounterId } from '../../ports/store.ts'
import { hashTag, quotaCounterName, rateCounterName } from './counter-names.ts'

const id = (subject: string, more: Partial<CounterId> = {}): CounterId => ({
  subject,
  kind: 'key',
  scope: '',
  endpoint: '',
  ...more,
})

// The names come from fixtures/conformance/redis-vectors.json, which a running gateway produced.
describe('the counters of a key', () => {
  test('are named after its stored name and the scope', () => {
    expect(quotaCounterName(id('470fd9a6'), true)).toBe('quota-470fd9a6')
    expect(quotaCounterName(id('470fd9a6', { scope: 'a1' }), true)).toBe('quota-a1-470fd9a6')
    expect(rateCounterName(id('470fd9a6'), true)).toBe('rate-limit-470fd9a6')
    expect(rateCounterName(id('470fd9a6', { scope: 'a1' }), true)).toBe('rate-limit-a1-470fd9a6')
  })

  test('of a rate have no leading or trailing dashes in their parts, and no empty parts', () => {
    expect(rateCounterName(id('-abc-', { scope: '-scope-' }), false)).toBe('rate-limit-scope-abc')
    expect(rateCounterName(id('--', { scope: 'scope' }), false)).toBe('rate-limit-scope')
  })

  test('of an endpoint end in the hash of method and path', () => {
    expect(rateCounterName(id('org165d3bc4aa94941768563e0d204978c8e', { endpoint: 'GET:/e' }), false)).toBe(
      'rate-limit-org165d3bc4aa94941768563e0d204978c8e-355a3178',
    )
  })
})

describe('the counters of an API', () => {
  const api = (subject: string, endpoint = '') => id(subject, { kind: 'api', endpoint })

  test('are named after organisation and API', () => {
    expect(rateCounterName(api('org1l1'), false)).toBe('rate-limit-apilimiter-org1l1')
  })

  test('of a path end in the hash of method and path', () => {
    expect(rateCounterName(api('org1l1', 'GET:/ep'), false)).toBe('rate-limit-apilimiter-org1l1-355a3178')
  })

  test('are hashed completely if keys are hashed', () => {
    expect(rateCounterName(api('org1limited'), true)).toBe('rate-limit-0c6475f7')
  })
})

test('an organisation counts under its id, or under the murmur32 hash of it', () => {
  const org = (subject: string) => id(subject, { kind: 'organisation' })
  expect(quotaCounterName(org('org1abcd'), false)).toBe('quota-org1abcd')
  expect(quotaCounterName(org('abcd'), true)).toBe('quota-86a7049e')
  expect(rateCounterName(org('abcd'), true)).toBe('rate-limit-86a7049e')
})

describe('tagged names', () => {
  const names = (counter: CounterId) => [
    quotaCounterName(counter, true, 'tagged'),
    rateCounterName(counter, true, 'tagged'),
  ]

  test('have the stored name of the key as their hash tag', () => {
    expect(names(id('470fd9a6'))).toEqual(['quota-{470fd9a6}', 'rate-limit-{470fd9a6}'])
    expect(names(id('470fd9a6', { scope: 'a1', endpoint: 'GET:/e' }))).toEqual([
      'quota-{470fd9a6}:a1:',
      'rate-limit-{470fd9a6}:a1:-355a3178',
    ])
    expect(names(id('org1', { kind: 'organisation' }))).toEqual(['org-quota-{org1}', 'org-rate-limit-{org1}'])
    expect(names(id('org1api', { kind: 'api' }))).toEqual(['api-quota-{org1api}', 'api-rate-limit-{org1api}'])
  })

  test('escape what would end the tag early or make it empty', () => {
    expect([hashTag(''), hashTag('}a'), hashTag('a{b}'), hashTag('100%')]).toEqual([
      '{%}',
      '{%7Da}',
      '{a%7Bb%7D}',
      '{100%25}',
    ])
  })
})
