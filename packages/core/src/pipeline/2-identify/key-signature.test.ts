import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'

const now = Date.UTC(2026, 0, 1) / 1000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const rejected = '401 Request signature verification failed'

async function makeApi(signature: object = {}, more: object = {}, settings: object = {}) {
  const authToken = {
    auth_header_name: 'Authorization',
    validate_signature: true,
    signature: { algorithm: 'MasherySHA256', header: 'X-Seal', secret: 'wax', allowed_clock_skew: 3, ...signature },
  }
  const definition = definitionOf('api', { use_keyless: false, auth_configs: { authToken }, ...more })
  const made = await makeTestEngine({ definitions: [definition], settings })
  const session = { org_id: 'org1', access_rights: { api: {} }, meta_data: { seal: 'own' } }
  await made.putKey('org1letter', session)
  const send = async (seal: string | undefined, key = 'org1letter', query = '') => {
    const headers = { authorization: key, ...(seal === undefined ? {} : { 'x-seal': seal }) }
    const { status, body } = await made.send('GET', `/api/x${query}`, headers)
    return status === 200 ? '200' : `${status} ${JSON.parse(String(body)).error}`
  }
  return { ...made, session, send, request: made.send }
}

describe('a signature beside a key', () => {
  it('covers the id or the full name of the key, the secret and the time', async () => {
    const { send } = await makeApi()
    for (const key of ['org1letter', 'letter']) {
      expect(await send(sha256(`letterwax${now}`), key)).toBe('200')
      expect(await send(sha256(`org1letterwax${now}`).toUpperCase(), key)).toBe('200')
    }
    for (const other of [`letterwaxx${now}`, `letter${now}wax`, `wax${now}`]) {
      expect(await send(sha256(other))).toBe(rejected)
    }
  })

  it('has the values of the documentation', () => {
    const example = '734dbd3873a28ef17d6abb6ed692005707b5423fc1c9d7d9038907be959f07fd'
    expect(sha256('kkshh1700000000')).toBe(example)
  })

  it('covers the id of a name in base64', async () => {
    const keys = { ...plainSettings.keys, hashFunction: 'murmur64' as const }
    const { send, putKey, session } = await makeApi({}, {}, { keys })
    const name = Buffer.from('{"org":"org1","id":"note","h":"murmur64"}').toString('base64')
    await putKey(name, session)
    for (const key of [name, 'note']) {
      expect(await send(sha256(`notewax${now}`), key)).toBe('200')
      expect(await send(sha256(`${name}wax${now}`), key)).toBe('200')
    }
  })

  it('is valid within the clock skew, in both directions', async () => {
    const { send } = await makeApi()
    for (const distance of [-3, -1, 2, 3]) expect(await send(sha256(`letterwax${now + distance}`))).toBe('200')
    for (const distance of [-4, 4]) expect(await send(sha256(`letterwax${now + distance}`))).toBe(rejected)
    const { send: exact } = await makeApi({ allowed_clock_skew: 0 })
    expect(await exact(sha256(`letterwax${now}`))).toBe('200')
    expect(await exact(sha256(`letterwax${now + 1}`))).toBe(rejected)
  })

  it('may be MD5', async () => {
    const { send } = await makeApi({ algorithm: 'MasheryMD5' })
    const md5 = createHash('md5').update(`letterwax${now}`).digest('hex')
    expect(await send(md5)).toBe('200')
    expect(await send(sha256(`letterwax${now}`))).toBe(rejected)
  })

  it.each([undefined, '', 'stamp', '0', '00', 'd'.repeat(64)])('is rejected as %s', async (seal) => {
    const { send } = await makeApi()
    expect(await send(seal)).toBe(rejected)
  })

  it('comes from the query before the header', async () => {
    const good = sha256(`letterwax${now}`)
    for (const signature of [{ use_param: true }, { param_name: 'X-Seal' }]) {
      const { send } = await makeApi(signature)
      expect(await send(undefined, 'letter', `?X-Seal=${good}`)).toBe('200')
      expect(await send(good, 'letter', '?X-Seal=12')).toBe(rejected)
      expect(await send(good, 'letter', '?X-Seal=')).toBe('200')
    }
    const { send } = await makeApi()
    expect(await send(undefined, 'letter', `?X-Seal=${good}`)).toBe(rejected)
  })

  it('can have a secret per key', async () => {
    const { send, putKey, session } = await makeApi({ secret: '$svc_meta.seal' })
    await putKey('org1bare', { ...session, meta_data: {} })
    expect(await send(sha256(`letterown${now}`))).toBe('200')
    expect(await send(sha256(`bare${now}`), 'bare')).toBe(rejected)
  })

  it('uses the secret of this key also if another mode provides the session', async () => {
    const more = { use_standard_auth: true, use_basic_auth: true, base_identity_provided_by: 'basic_auth_user' }
    const { putKey, request } = await makeApi(
      { secret: '$svc_meta.seal' },
      { ...more, auth_configs: undefined, auth: { ...authWithSeal, auth_header_name: 'X-Key' } },
    )
    await putKey('org1anna', {
      org_id: 'org1',
      access_rights: { api: {} },
      basic_auth_data: { password: 'pw', hash_type: 'bcrypt' },
    })
    const headers = { authorization: `Basic ${Buffer.from('anna:pw').toString('base64')}`, 'x-key': 'letter' }
    const status = async (seal: string) => (await request('GET', '/api/x', { ...headers, 'x-seal': seal })).status
    expect(await status(sha256(`letterown${now}`))).toBe(200)
    expect(await status(sha256(`letter${now}`))).toBe(401)
  })

  it('is rejected with the status and text of the definition', async () => {
    const { send } = await makeApi({ error_code: 407, error_message: 'bring your seal' })
    expect(await send('12')).toBe('407 bring your seal')
    const { send: odd } = await makeApi({ error_code: 7 })
    expect(await odd('12')).toBe(rejected)
  })

  it('rejects every request of an API with an unknown algorithm or without a secret', async () => {
    const { send } = await makeApi({ algorithm: 'SHA1' })
    expect(await send(sha256(`letterwax${now}`))).toBe('500 internal server error')
    const { send: empty } = await makeApi({ secret: '' })
    expect(await empty(sha256(`letter${now}`))).toBe(rejected)
    const { send: unset } = await makeApi({ secret: 'env://SEAL' })
    expect(await unset(sha256(`letterenv://SEAL${now}`))).toBe(rejected)
  })

  it('is checked after the key and before its state', async () => {
    const { send, putKey, session } = await makeApi()
    expect(await send('12', '')).toBe('401 Authorization field missing')
    expect(await send('12', 'nobody')).toBe('403 Access to this API has been disallowed')
    await putKey('org1asleep', { ...session, is_inactive: true })
    expect(await send('12', 'asleep')).toBe(rejected)
    expect(await send(sha256(`asleepwax${now}`), 'asleep')).toBe('403 Key is inactive, please renew')
  })
})

const authWithSeal = {
  validate_signature: true,
  signature: { algorithm: 'MasherySHA256', header: 'X-Seal', secret: '$svc_meta.seal' },
}
