import { describe, expect, it } from 'vitest'
import { isVerified, parseChallenge } from './pkce.ts'

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('a proof key', () => {
  it('fits its challenge', () => {
    expect(isVerified(verifier, { challenge, method: 'S256' })).toBe(true)
    expect(isVerified(verifier, { challenge: verifier, method: 'plain' })).toBe(true)
    expect(isVerified(challenge, { challenge, method: 'S256' })).toBe(false)
    expect(isVerified(`${verifier}x`, { challenge: verifier, method: 'plain' })).toBe(false)
    expect(isVerified('', { challenge: '', method: 'plain' })).toBe(false)
  })

  it('is requested with the parameters of RFC 7636', () => {
    expect(parseChallenge('', '')).toEqual({ challenge: '', method: 'plain' })
    expect(parseChallenge(challenge, '')).toEqual({ challenge, method: 'plain' })
    expect(parseChallenge(challenge, 'S256')).toEqual({ challenge, method: 'S256' })
    for (const method of ['s256', 'S512', 'none']) expect(parseChallenge(challenge, method)).toBeUndefined()
    for (const text of ['short', 'x'.repeat(129), `${challenge} `]) expect(parseChallenge(text, 'S256')).toBeUndefined()
  })
})
