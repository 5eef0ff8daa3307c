import { describe, expect, test } from 'vitest'
import type { Session } from '../ports/session.ts'
import { newKeyExpires } from './expiry.ts'
import { type LifetimeOfApi, storageLifetimeMs } from './lifetime.ts'
import { readPolicy } from './policies/parse-policies.ts'
import { makePolicyBook } from './policies/policy-book.ts'
import { parseSession } from './session-json.ts'

const now = 1_000_000_400
const seconds = 1_000_000
const global = { forceGlobal: false, globalSeconds: 0, respectKeyExpiration: false }

function sessionOf(json: object): Session {
  return parseSession(json).session as Session
}

function kept(session: object, apis: Partial<LifetimeOfApi>[] = [{}], settings: Partial<typeof global> = {}) {
  const full = apis.map((api) => ({ sessionLifetime: 0, sessionLifetimeRespectsKeyExpiration: false, ...api }))
  return storageLifetimeMs(sessionOf(session), full, { ...global, ...settings }, now)
}

describe('a key is stored', () => {
  test('forever by default', () => {
    expect(kept({})).toBeUndefined()
    expect(kept({ expires: seconds + 5 })).toBeUndefined()
    expect(kept({}, [])).toBeUndefined()
  })

  test('for the lifetime of the session, or else the longest one of its APIs', () => {
    expect(kept({ session_lifetime: 7 }, [{ sessionLifetime: 3 }])).toBe(7000)
    expect(kept({}, [{ sessionLifetime: 3 }, { sessionLifetime: 9 }, {}])).toBe(9000)
    expect(kept({ session_lifetime: 7 }, [])).toBe(7000)
  })

  test('for the lifetime of the gateway, if the gateway enforces it', () => {
    const forced = { forceGlobal: true, globalSeconds: 4 }
    expect(kept({ session_lifetime: 7, post_expiry_action: 'delete', expires: seconds + 2 }, [{}], forced)).toBe(4000)
  })

  test('at least until it expires if the lifetime respects expiry, and forever if it never expires', () => {
    const respecting = { sessionLifetime: 3, sessionLifetimeRespectsKeyExpiration: true }
    expect(kept({ expires: seconds + 20 }, [respecting])).toBe(20_000)
    expect(kept({ expires: seconds + 1 }, [respecting])).toBe(3000)
    expect(kept({}, [respecting])).toBeUndefined()
    expect(kept({ expires: seconds + 20 }, [{ sessionLifetime: 3 }], { respectKeyExpiration: true })).toBe(20_000)
  })

  test('until it expires with the post-expiry action `delete`', () => {
    expect(kept({ post_expiry_action: 'delete', expires: seconds + 20, session_lifetime: 99 })).toBe(20_000)
    expect(kept({ post_expiry_action: 'delete', expires: seconds - 20 })).toBe(1000)
    expect(kept({ post_expiry_action: 'delete' })).toBeUndefined()
  })

  test('for a grace period after its expiry with the post-expiry action `retain`', () => {
    const retained = { post_expiry_action: 'retain', expires: seconds + 20 }
    expect(kept({ ...retained, post_expiry_grace_period: 5 })).toBe(25_000)
    expect(kept({ ...retained, post_expiry_grace_period: -1, session_lifetime: 9 })).toBeUndefined()
    expect(kept({ ...retained, session_lifetime: 9 })).toBe(9000)
  })
})

test('a new key expires after the key_expires_in of the last of its policies that sets one', () => {
  const policies = [
    ['a', 10],
    ['b', 20],
    ['c', 0],
  ].map(([id, keyExpiresIn]) => {
    const read = readPolicy({ id, org_id: 'o', key_expires_in: keyExpiresIn })
    if ('problem' in read) throw new Error(read.problem)
    return read.policy
  })
  const book = makePolicyBook(policies)
  const session = (names: string[]) => sessionOf({ org_id: 'o', apply_policies: names })
  expect(newKeyExpires(session(['a', 'b', 'c', 'ghost']), book, now)).toBe(seconds + 20)
  expect(newKeyExpires(session(['c']), book, now)).toBeUndefined()
})
