import { describe, expect, it } from 'vitest'
import { signToken, testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const access_rights = { api: {} }
const policies = { p: { id: 'p', org_id: 'org1', quota_max: 3, quota_renewal_rate: 60, access_rights } }
const basic = `Basic ${encodeBase64(utf8Bytes('anna:pw'))}`
const token = signToken({ sub: 'a', pol: 'p' })

async function makeApi(more: object = {}) {
  const definition = definitionOf('api', {
    use_keyless: false,
    use_standard_auth: true,
    use_basic_auth: true,
    enable_jwt: true,
    jwt_source: encodeBase64(utf8Bytes(testSecret)),
    jwt_policy_field_name: 'pol',
    auth_configs: {
      authToken: { auth_header_name: 'X-Key', use_param: true, param_name: 'key', use_cookie: true, cookie_name: 'ck' },
      jwt: { auth_header_name: 'X-Token' },
    },
    ...more,
  })
  const made = await makeTestEngine({ definitions: [definition], policies })
  await made.putKey('org1k123', { org_id: 'org1', access_rights, quota_max: 7, quota_renewal_rate: 60 })
  await made.putKey('org1anna', {
    org_id: 'org1',
    access_rights,
    quota_max: 5,
    quota_renewal_rate: 60,
    basic_auth_data: { password: 'pw', hash_type: 'bcrypt' },
  })
  const sendRequest = async (headers: Record<string, string>, path = '/api/x') => {
    const { status, headers: answered, body } = await made.send('GET', path, headers)
    const limit = answered[answered.indexOf('x-ratelimit-limit') + 1]
    return status === 200 ? `200 limit ${limit}` : `${status} ${JSON.parse(String(body)).error}`
  }
  return { ...made, sendRequest }
}

const all = { authorization: basic, 'x-token': token, 'x-key': 'k123' }

describe('several authentication modes on one API', () => {
  it('must all accept the request, in their order', async () => {
    const { sendRequest } = await makeApi()
    expect(await sendRequest(all)).toMatch(/^200/)
    expect(await sendRequest({ ...all, authorization: '', 'x-token': '' })).toBe('401 Authorization field missing')
    expect(await sendRequest({ ...all, 'x-token': '', 'x-key': 'nobody' })).toBe('400 Authorization field missing')
    expect(await sendRequest({ ...all, 'x-key': 'nobody' })).toBe('403 Access to this API has been disallowed')
  })

  it.each([
    ['', 7],
    ['auth_token', 7],
    ['basic_auth_user', 5],
    ['jwt_claim', 3],
    ['hmac_key', 7],
    ['nonsense', 7],
  ])('base_identity_provided_by %j selects the session for limits', async (named, limit) => {
    const { sendRequest } = await makeApi({ base_identity_provided_by: named })
    expect(await sendRequest(all)).toBe(`200 limit ${limit}`)
  })
})

describe('strip_auth_data', () => {
  it('removes the credentials of all modes and nothing else', async () => {
    const { sendRequest, upstreamRequests } = await makeApi({ strip_auth_data: true })
    const cookie = 'a=1; ck=k123; b=2'
    expect(await sendRequest({ ...all, cookie, 'x-other': 'o' }, '/api/x?z=1&key=k123&a=2')).toMatch(/^200/)
    const sent = upstreamRequests[0]
    expect(sent?.path).toBe('/x?a=2&z=1')
    const names = sent?.headers.filter((_, i) => i % 2 === 0)
    expect(names).not.toContain('authorization')
    expect(names).not.toContain('x-token')
    expect(names).not.toContain('x-key')
    expect(sent?.headers).toContain('a=1; b=2')
    expect(sent?.headers).toContain('o')
  })

  it('removes the header of a signature and of a basic user without own configuration', async () => {
    const { upstreamRequests, send } = await makeApi({
      auth_configs: undefined,
      auth: { auth_header_name: 'X-Old' },
      use_standard_auth: false,
      enable_jwt: false,
      strip_auth_data: true,
    })
    await send('GET', '/api/x', { authorization: basic })
    expect(upstreamRequests[0]?.headers).not.toContain(basic)
  })

  it('removes nothing if the API does not enable it', async () => {
    const { sendRequest, upstreamRequests } = await makeApi()
    await sendRequest(all)
    expect(upstreamRequests[0]?.headers).toEqual(expect.arrayContaining([basic, token, 'k123']))
  })
})
