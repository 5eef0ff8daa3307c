import { describe, expect, it } from 'vitest'
import { decideTimes, expiresOf } from './check-times.ts'

const none = { expires: 0, issuedAt: 0, notBefore: 0 }
const now = 1_000_000

describe('times of a token at second 1000', () => {
  it.each([
    [{}, undefined],
    [{ exp: 1001 }, undefined],
    [{ exp: 1000.5 }, undefined],
    [{ exp: 1000 }, 'expired'],
    [{ exp: 0 }, 'expired'],
    [{ exp: -5 }, 'expired'],
    [{ exp: '2000' }, 'expired'],
    [{ exp: null }, 'expired'],
    [{ iat: 1000 }, undefined],
    [{ iat: 0 }, undefined],
    [{ iat: 1001 }, 'used-before-issued'],
    [{ iat: 'now' }, 'used-before-issued'],
    [{ nbf: 1000 }, undefined],
    [{ nbf: 1001 }, 'not-valid-yet'],
    [{ exp: 1, iat: 2000, nbf: 2000 }, 'not-valid-yet'],
    [{ exp: 1, iat: 2000 }, 'used-before-issued'],
  ])('%j: %s', (claims, problem) => {
    expect(decideTimes(claims, none, now)).toBe(problem)
  })

  it('are each extended by their own clock skew only', () => {
    const skews = { expires: 10, issuedAt: 20, notBefore: 30 }
    expect(decideTimes({ exp: 991, iat: 1020, nbf: 1030 }, skews, now)).toBeUndefined()
    expect(decideTimes({ exp: 990 }, skews, now)).toBe('expired')
    expect(decideTimes({ iat: 1021 }, skews, now)).toBe('used-before-issued')
    expect(decideTimes({ nbf: 1031 }, skews, now)).toBe('not-valid-yet')
  })

  it('an expiry of zero is not extended by a skew', () => {
    expect(decideTimes({ exp: 0 }, { ...none, expires: 4e9 }, now)).toBe('expired')
  })

  it('a number outside the range of JSON is not a date', () => {
    expect(decideTimes(JSON.parse('{"exp":1e999}'), none, now)).toBe('expired')
    expect(expiresOf(JSON.parse('{"exp":1e999}'))).toBeUndefined()
    expect(expiresOf({ exp: 12.7 })).toBe(12)
  })
})
