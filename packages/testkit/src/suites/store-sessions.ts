/** The part of the store suite about sessions: a map with lifetimes that survives a crash. */
import { type Session, type SessionStore, sessionShape } from '@turnpike/core/ports'
import { expect } from 'vitest'
import { freshName, type StoreCases } from './store-case.ts'

export const sessionCases: StoreCases = {
  'finds nothing under a name that was never put': async ({ store }) => {
    const name = freshName('absent')
    expect(await store.sessions.get(name)).toBeUndefined()
    expect(await store.sessions.remove(name)).toBe(false)
  },
  'returns every field of a session, without an expiry if none was given': async ({ store }) => {
    const name = freshName('full')
    const session = fullSession()
    await store.sessions.put(name, session)
    expect(await store.sessions.get(name)).toEqual({ session, storedUntil: undefined })
  },
  'returns the summary of a session for as long as it is stored': async ({ store: { sessions }, pass }) => {
    const [name, other] = [freshName('find'), freshName('find')]
    expect(await sessions.find(name)).toBeUndefined()
    const session = { ...fullSession(), expires: 5, quotaRenews: 7, lastUpdated: '1700000000' }
    await sessions.put(name, session, 2000)
    await sessions.put(other, { ...session, lastUpdated: 'yesterday ✓' })
    const found = await sessions.find(name)
    expect(found).toMatchObject({ expires: 5, lastUpdated: '1700000000' })
    expect(found?.storedUntil).toEqual(expect.any(Number))
    expect(found?.rights.accessRights).toEqual(session.accessRights)
    expect(found?.whole()).toEqual(session)
    expect(await sessions.find(other)).toMatchObject({ lastUpdated: 'yesterday ✓', storedUntil: undefined })
    await pass(2100)
    expect(await sessions.find(name)).toBeUndefined()
    await sessions.remove(other)
    expect(await sessions.find(other)).toBeUndefined()
  },
  'reports in the summary whether a session may need a proof': async ({ store: { sessions } }) => {
    const [user, plain] = [freshName('user'), freshName('plain')]
    const unbound = { ...fullSession(), alias: '', certificate: '', mtlsStaticCertificateBindings: null }
    const session = {
      ...unbound,
      ...{ basicAuthData: { password: '', hashType: '' }, jwtData: { secret: '' } },
      ...{ hmacEnabled: false, enableHttpSignatureValidation: false },
    }
    await sessions.put(plain, session)
    await sessions.put(user, { ...session, basicAuthData: { password: 'hash', hashType: 'bcrypt' } })
    expect(await sessions.find(plain)).toMatchObject({ mayRequireProof: false })
    expect(await sessions.find(user)).toMatchObject({ mayRequireProof: true })
  },
  'returns meta data that affect the rights with the rights': async ({ store: { sessions } }) => {
    for (const metaData of [{ rate_limit_pattern: 'x' }, { policies: [] }]) {
      const name = freshName('meta')
      await sessions.put(name, { ...fullSession(), metaData })
      expect((await sessions.find(name))?.rights.metaData).toEqual(metaData)
    }
  },
  "stores a copy: later changes to the caller's object or to a returned object have no effect": async ({ store }) => {
    const name = freshName('copy')
    const session = fullSession()
    await store.sessions.put(name, session)
    session.rate = 999
    const read = await store.sessions.get(name)
    if (read !== undefined) read.session.tags = ['changed']
    expect((await store.sessions.get(name))?.session).toEqual(fullSession())
  },
  'replaces a session as a whole, its lifetime included': async ({ store, pass }) => {
    const name = freshName('replace')
    await store.sessions.put(name, fullSession(), 1000)
    await store.sessions.put(name, { ...emptySession(), alias: 'second' })
    await pass(1100)
    expect(await store.sessions.get(name)).toEqual({
      session: { ...emptySession(), alias: 'second' },
      storedUntil: undefined,
    })
  },
  'removes a session once': async ({ store }) => {
    const name = freshName('remove')
    await store.sessions.put(name, fullSession())
    expect(await store.sessions.remove(name)).toBe(true)
    expect(await store.sessions.get(name)).toBeUndefined()
    expect(await store.sessions.remove(name)).toBe(false)
  },
  'removes a session at the end of its lifetime, also from lists': async ({ store, pass }) => {
    const name = freshName('lifetime')
    await store.sessions.put(name, fullSession(), 1000)
    expect((await store.sessions.get(name))?.storedUntil).toEqual(expect.any(Number))
    expect(await store.sessions.list(name)).toEqual([name])
    await pass(1100)
    expect(await store.sessions.get(name)).toBeUndefined()
    expect(await store.sessions.list(name)).toEqual([])
    expect(await store.sessions.remove(name)).toBe(false)
  },
  'treats a lifetime of 0 as expired': async ({ store }) => {
    const name = freshName('over')
    await store.sessions.put(name, fullSession())
    await store.sessions.put(name, fullSession(), 0)
    expect(await store.sessions.get(name)).toBeUndefined()
  },
  'lists the names that begin with a prefix, odd characters included': async ({ store }) => {
    const stem = freshName('list')
    const names = [`${stem}a`, `${stem}a*b`, `${stem}[x]?\\`, `${stem}ü`, `${stem}`]
    for (const name of names) await store.sessions.put(name, emptySession())
    expect((await store.sessions.list(stem)).sort()).toEqual([...names].sort())
    expect((await store.sessions.list(`${stem}a`)).sort()).toEqual([`${stem}a`, `${stem}a*b`])
    expect(await store.sessions.list(`${stem}[`)).toEqual([`${stem}[x]?\\`])
    for (const name of names) await store.sessions.remove(name)
  },
  'separates sessions of keys and of organisations': async ({ store }) => {
    const name = freshName('apart')
    await store.sessions.put(name, { ...emptySession(), alias: 'key' })
    expect(await store.organisations.get(name)).toBeUndefined()
    await store.organisations.put(name, { ...emptySession(), alias: 'org' })
    expect(await aliasOf(store.sessions, name)).toBe('key')
    expect(await store.organisations.remove(name)).toBe(true)
    expect(await aliasOf(store.sessions, name)).toBe('key')
  },
  'has exactly the acknowledged sessions after a crash': async ({ store, reopen }) => {
    if (reopen === undefined) return
    const [kept, removed] = [freshName('kept'), freshName('removed')]
    await store.sessions.put(kept, fullSession())
    await store.organisations.put(kept, fullSession())
    await store.sessions.put(removed, fullSession())
    await store.sessions.remove(removed)
    const second = await reopen()
    try {
      expect((await second.sessions.get(kept))?.session).toEqual(fullSession())
      expect((await second.organisations.get(kept))?.session).toEqual(fullSession())
      expect(await second.sessions.get(removed)).toBeUndefined()
    } finally {
      await second.close()
    }
  },
}

async function aliasOf(sessions: SessionStore, name: string): Promise<string | undefined> {
  return (await sessions.get(name))?.session.alias
}

function emptySession(): Session {
  return sessionShape.zero()
}

/** A session with a field of each type, and with names that are error-prone. */
function fullSession(): Session {
  return sessionShape.read(
    {
      org_id: 'org1',
      alias: 'Zoë ✓',
      rate: 2.5,
      per: 60,
      quota_max: -1,
      expires: 4_102_444_800,
      quota_renewal_rate: 3600,
      tags: ['a', 'b'],
      apply_policies: ['gold'],
      meta_data: { text: 'x', number: 1.5, list: [1, null, { deep: true }], constructor: 'a name like any' },
      access_rights: { api1: { api_id: 'api1', versions: ['Default'], limit: { rate: 1, per: 2, quota_max: 3 } } },
      basic_auth_data: { password: 'hash', hash_type: 'bcrypt' },
    },
    [],
    [],
  )
}
