import { describe, expect, it } from 'vitest'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { silentLog } from '../../ports/log.ts'
import type { TokenKey, TokenVerifier } from '../../ports/token-verifier.ts'
import { makeKeySets } from './key-set-cache.ts'

const tokenVerifier: TokenVerifier = {
  parse: () => undefined,
  readKey: (): TokenKey => ({ family: 'rsa', verifies: () => true }),
}

/** An issuer that a test can change and switch off, and a manual clock. */
function makeIssuer(...names: string[]) {
  const state = { names, isAway: false, fetched: 0, now: 1_000_000 }
  const sets = makeKeySets({
    fetch: {
      async get() {
        state.fetched++
        if (state.isAway) throw new Error('away')
        return {
          status: 200,
          body: utf8Bytes(JSON.stringify({ keys: state.names.map((kid) => ({ kid, kty: 'RSA' })) })),
        }
      },
    },
    tokenVerifier,
    clock: { now: () => state.now },
    log: silentLog,
  })
  const find = (kid: string, apiId = 'a1') => sets.keyFor({ apiId, url: 'http://issuer.test/keys', kid, family: 'rsa' })
  return { state, sets, find }
}

describe('key sets by URL', () => {
  it('are fetched once for concurrent callers, and then returned without a promise', async () => {
    const { state, find } = makeIssuer('one', 'two')
    const [one, again, two] = await Promise.all([find('one'), find('one'), find('two')])
    expect(one).toBeDefined()
    expect(again).toBe(one)
    expect(two).not.toBe(one)
    expect(find('one')).toBe(one)
    expect(state.fetched).toBe(1)
  })

  it('are kept per API', async () => {
    const { state, find, sets } = makeIssuer('one')
    await find('one', 'a1')
    await find('one', 'a2')
    expect(state.fetched).toBe(2)
    sets.forget('a1')
    expect(find('one', 'a2')).not.toBeInstanceOf(Promise)
    expect(await find('one', 'a1')).toBeDefined()
    expect(state.fetched).toBe(3)
    sets.forget()
    await find('one', 'a2')
    expect(state.fetched).toBe(4)
  })

  it('are fetched again for an unknown key id, but not twice in 10 s', async () => {
    const { state, find } = makeIssuer('one')
    await find('one')
    state.names = ['one', 'new']
    expect(await find('new')).toBeDefined()
    expect(await find('never')).toBeUndefined()
    expect(state.fetched).toBe(2)
    state.now += 10_000
    expect(await find('never')).toBeUndefined()
    expect(find('never')).toBeUndefined()
    expect(state.fetched).toBe(3)
  })

  it('keep their parsed keys while the document does not change', async () => {
    const { state, find } = makeIssuer('one', 'two')
    const one = await find('one')
    state.now += 240_000
    expect(await find('one')).toBe(one)
    expect(state.fetched).toBe(2)
    state.names = ['two']
    state.now += 240_000
    expect(await find('one')).toBeUndefined()
  })

  it('are refreshed before they expire, so that an issuer can be unavailable briefly', async () => {
    const { state, find } = makeIssuer('one')
    const one = await find('one')
    state.now += 200_000
    state.isAway = true
    expect(find('one')).toBe(one)
    await new Promise((resolve) => setTimeout(resolve))
    expect(state.fetched).toBe(2)
    state.isAway = false
    state.now += 1_000
    expect(find('one')).toBe(one)
    await new Promise((resolve) => setTimeout(resolve))
    state.now += 150_000
    expect(find('one')).toBe(one)
    expect(state.fetched).toBe(3)
  })

  it('are not used after their expiry, and an unavailable issuer is queried once a second', async () => {
    const { state, find } = makeIssuer('one')
    await find('one')
    state.isAway = true
    state.now += 240_000
    expect(await find('one')).toBeUndefined()
    expect(find('one')).toBeUndefined()
    expect(state.fetched).toBe(2)
    state.now += 1_000
    state.isAway = false
    expect(await find('one')).toBeDefined()
  })
})
