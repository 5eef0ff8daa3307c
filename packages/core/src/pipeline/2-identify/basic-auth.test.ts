import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { hashText } from '../../lib/hash/hash-key-name.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import { PasswordsBusyError } from '../../ports/passwords.ts'

const basic = (text: string) => `Basic ${encodeBase64(utf8Bytes(text))}`
const session = (password: string, hashType = 'bcrypt') => ({
  org_id: 'org1',
  access_rights: { api: {} },
  basic_auth_data: { password, hash_type: hashType },
})

async function makeApi(more: object = {}) {
  let checks = 0
  const passwords = {
    hash: (text: string) => Promise.resolve(text),
    matches: async (text: string, hash: string) => {
      checks++
      return text === hash
    },
  }
  const made = await makeTestEngine({
    definitions: [definitionOf('api', { use_keyless: false, use_basic_auth: true, ...more })],
    engine: { passwords },
  })
  await made.putKey('org1anna', session('right'))
  const summaryOf = (response: { status: number; body: unknown }) =>
    `${response.status} ${response.status === 200 ? '' : JSON.parse(String(response.body)).error}`.trim()
  const sendRequest = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    summaryOf(await made.engine.handle({ ...requestOf('GET', '/api/x', headers), remoteAddress }))
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const bytes = utf8Bytes(body)
    const request = { ...requestOf('POST', '/api/x', headers), body: streamOf(bytes), bodyLength: bytes.length }
    return summaryOf(await made.engine.handle(request))
  }
  return { ...made, sendRequest, post, checks: () => checks }
}

describe('a basic user', () => {
  it('is accepted with the right password, whose slow hash is computed once', async () => {
    const { sendRequest, checks, advance } = await makeApi()
    const headers = { authorization: basic('anna:right') }
    expect(await Promise.all([sendRequest(headers), sendRequest(headers), sendRequest(headers)])).toEqual([
      '200',
      '200',
      '200',
    ])
    expect(checks()).toBe(1)
    advance(60_000)
    expect(await sendRequest(headers)).toBe('200')
    expect(checks()).toBe(2)
  })

  it('may have colons in the password', async () => {
    const { sendRequest, putKey } = await makeApi()
    await putKey('org1colon', session('a:b:'))
    expect(await sendRequest({ authorization: basic('colon:a:b:') })).toBe('200')
    expect(await sendRequest({ authorization: basic('colon:a') })).toBe('401 User not authorised')
  })

  it('is not cached with a wrong password or after a change of the password', async () => {
    const { sendRequest, putKey } = await makeApi()
    expect(await sendRequest({ authorization: basic('anna:wrong') })).toBe('401 User not authorised')
    expect(await sendRequest({ authorization: basic('anna:right') })).toBe('200')
    expect(await sendRequest({ authorization: basic('anna:wrong') })).toBe('401 User not authorised')
    await putKey('org1anna', session('new'))
    expect(await sendRequest({ authorization: basic('anna:right') })).toBe('401 User not authorised')
  })

  it('costs as much if it does not exist as with a wrong password', async () => {
    const { sendRequest, checks, putKey } = await makeApi()
    await putKey('org1plain', { org_id: 'org1', access_rights: { api: {} } })
    await putKey('org1shaun', session(hashText('right', 'sha256'), 'sha256'))
    for (const user of ['anna', 'nobody', 'plain', 'shaun']) {
      const before = checks()
      expect(await sendRequest({ authorization: basic(`${user}:wrong`) })).toBe('401 User not authorised')
      expect([user, checks() - before]).toEqual([user, 1])
    }
  })

  it('is not checked for a while after ten wrong passwords, except for a verified one', async () => {
    const { sendRequest, checks, advance, putKey } = await makeApi()
    await putKey('org1bert', session('other'))
    expect(await sendRequest({ authorization: basic('anna:right') })).toBe('200')
    for (let i = 0; i < 10; i++) await sendRequest({ authorization: basic(`anna:wrong${i}`) })
    for (let i = 0; i < 10; i++) await sendRequest({ authorization: basic(`bert:wrong${i}`) })
    const before = checks()
    expect(await sendRequest({ authorization: basic('anna:right') })).toBe('200')
    expect(await sendRequest({ authorization: basic('bert:other') })).toBe('401 User not authorised')
    expect(checks()).toBe(before)
    advance(1000)
    expect(await sendRequest({ authorization: basic('bert:other') })).toBe('200')
  })

  it('whose password is cached is guessed no faster from other addresses, and is not slowed down by guesses', async () => {
    const { sendRequest, checks, advance } = await makeApi()
    const right = { authorization: basic('anna:right') }
    expect(await sendRequest(right, '10.0.0.1')).toBe('200')
    for (let i = 0; i < 10; i++) await sendRequest({ authorization: basic(`anna:wrong${i}`) }, '10.0.0.2')
    // The right guess looks like a wrong one while the address must wait.
    expect(await sendRequest(right, '10.0.0.2')).toBe('401 User not authorised')
    expect(await sendRequest(right, '10.0.0.1')).toBe('200')
    advance(60_000)
    for (let i = 0; i < 3; i++) await sendRequest({ authorization: basic(`anna:late${i}`) }, '10.0.0.2')
    const before = checks()
    expect(await sendRequest(right, '10.0.0.2')).toBe('401 User not authorised')
    expect(await sendRequest(right, '10.0.0.1')).toBe('200')
    expect(checks()).toBe(before + 1)
  })

  it('may use a cached password from another address', async () => {
    const { sendRequest, checks } = await makeApi()
    const right = { authorization: basic('anna:right') }
    expect([await sendRequest(right, '10.0.0.1'), await sendRequest(right, '10.0.0.2')]).toEqual(['200', '200'])
    expect(checks()).toBe(1)
  })

  it.each(['anna', 'nobody'])('has at most ten wrong passwords checked at once (%s)', async (user) => {
    const { sendRequest, checks, advance } = await makeApi()
    const guessAtOnce = () =>
      Promise.all(Array.from({ length: 50 }, (_, i) => sendRequest({ authorization: basic(`${user}:wrong${i}`) })))
    const statuses = (await guessAtOnce()).map((summary) => summary.slice(0, 3))
    expect([checks(), statuses.filter((status) => status === '503').length]).toEqual([10, 40])
    advance(1000)
    await guessAtOnce()
    expect(checks()).toBe(11)
  })

  it('gets 503 if too many passwords are being checked', async () => {
    const matches = () => Promise.reject(new PasswordsBusyError())
    const made = await makeTestEngine({
      definitions: [definitionOf('api', { use_keyless: false, use_basic_auth: true })],
      engine: { passwords: { hash: (text: string) => Promise.resolve(text), matches } },
    })
    expect((await made.send('GET', '/api/x', { authorization: basic('anna:right') })).status).toBe(503)
  })

  it('stays cached across reloads that do not change its API', async () => {
    const { sendRequest, checks, engine, files } = await makeApi()
    const right = { authorization: basic('anna:right') }
    expect(await sendRequest(right)).toBe('200')
    await engine.reload()
    expect(await sendRequest(right)).toBe('200')
    files.definitions.set('other.json', JSON.stringify(definitionOf('other')))
    files.policies = JSON.stringify({ p: { org_id: 'org1', access_rights: {} } })
    expect((await engine.reload()).changed).toEqual(['other.json'])
    expect(await sendRequest(right)).toBe('200')
    expect(checks()).toBe(1)
    expect(await sendRequest({ authorization: basic('anna:wrong') })).toBe('401 User not authorised')
  })

  it('is checked at every request if caching is disabled', async () => {
    const { sendRequest, checks } = await makeApi({ basic_auth: { disable_caching: true } })
    await sendRequest({ authorization: basic('anna:right') })
    await sendRequest({ authorization: basic('anna:right') })
    expect(checks()).toBe(2)
  })

  it.each(['murmur32', 'murmur64', 'murmur128', 'sha256'] as const)('may be stored by %s', async (fn) => {
    const { sendRequest, putKey } = await makeApi()
    await putKey('org1bert', session(hashText('secret12', fn), fn))
    expect(await sendRequest({ authorization: basic('bert:secret12') })).toBe('200')
    expect(await sendRequest({ authorization: basic('bert:other678') })).toBe('401 User not authorised')
  })

  it('without a password, or with an unknown hash type, is rejected', async () => {
    const { sendRequest, putKey } = await makeApi()
    await putKey('org1none', session(''))
    await putKey('org1odd', session('pw', 'rot13'))
    expect(await sendRequest({ authorization: basic('none:') })).toBe('401 User not authorised')
    expect(await sendRequest({ authorization: basic('odd:pw') })).toBe('401 User not authorised')
  })

  it('can send its credentials in the configured header', async () => {
    const { sendRequest } = await makeApi({
      auth_configs: { basic: { auth_header_name: 'X-Basic', use_cookie: true, cookie_name: 'c' } },
    })
    expect(await sendRequest({ 'x-basic': basic('anna:right') })).toBe('200')
    expect(await sendRequest({ authorization: basic('anna:right') })).toBe('401 Authorization field missing')
  })
})

describe('credentials in the body', () => {
  const body = { extract_from_body: true, body_user_regexp: 'u=(\\w*)', body_password_regexp: 'p=(\\w*)' }

  it('are used if the header has none; the upstream receives the body', async () => {
    const { post, upstreamRequests } = await makeApi({ basic_auth: body })
    expect(await post('u=anna&p=right')).toBe('200')
    expect(upstreamRequests[0]?.body).toEqual(utf8Bytes('u=anna&p=right'))
    expect(await post('u=anna&p=wrong')).toBe('401 User not authorised')
    expect(await post('u=anna&p=right', { authorization: 'Basic' })).toBe('200')
    expect(await post('u=nobody', { authorization: basic('anna:right') })).toBe('200')
  })

  it('that are missing are reported in order', async () => {
    const { post } = await makeApi({ basic_auth: body })
    expect(await post('p=right')).toBe('400 Body do not contain username')
    expect(await post('u=anna')).toBe('400 Body do not contain password')
  })

  it('must match a group of the pattern', async () => {
    const noUser = await makeApi({ basic_auth: { ...body, body_user_regexp: 'u=\\w*' } })
    expect(await noUser.post('u=anna&p=right')).toBe('400 username should be inside regexp match group')
    const noPassword = await makeApi({ basic_auth: { ...body, body_password_regexp: 'p=\\w*' } })
    expect(await noPassword.post('u=anna&p=right')).toBe('400 password should be inside regexp match group')
  })

  it('are never found by an invalid pattern', async () => {
    const { post } = await makeApi({ basic_auth: { ...body, body_user_regexp: '(' } })
    expect(await post('(u=anna&p=right')).toBe('400 Body do not contain username')
  })
})
