import { describe, expect, it } from 'vitest'
import { signToken, testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const now = Date.UTC(2026, 0, 1) / 1000
const modes = {
  jwt: {
    enable_jwt: true,
    jwt_source: encodeBase64(utf8Bytes(testSecret)),
    jwt_policy_field_name: 'pol',
    scopes: { jwt: { scope_claim_name: 'scp', scope_to_policy: { read: 'p' } } },
  },
  oauth: { use_oauth2: true },
}

async function makeApi(mode: 'jwt' | 'oauth', bearerErrors?: { oauth: boolean; jwt: boolean }) {
  const made = await makeTestEngine({
    definitions: [definitionOf('api', { name: 'the "api"', use_keyless: false, ...modes[mode] })],
    policies: { p: { id: 'p', org_id: 'org1', access_rights: { api: {} } } },
    settings: bearerErrors === undefined ? {} : { bearerErrors },
    engine: { clientExists: (_api, client) => client === 'known' },
  })
  const send = async (authorization: string | undefined) => {
    const given: Record<string, string> = authorization === undefined ? {} : { authorization }
    const { status, headers } = await made.send('GET', '/api/x', given)
    const at = headers.indexOf('www-authenticate')
    return [status, at === -1 ? undefined : headers[at + 1]]
  }
  return { ...made, send }
}

const on = { oauth: true, jwt: true }
const realm = `Bearer realm="the 'api'"`
const invalid = (text: string) => [401, `${realm}, error="invalid_token", error_description="${text}"`]

describe('a rejected bearer token by RFC 6750', () => {
  it('is 401 with a challenge on a JWT API', async () => {
    const { send } = await makeApi('jwt', on)
    expect(await send(undefined)).toEqual([401, realm])
    expect(await send('Bearer nonsense')).toEqual(invalid('Key not authorized'))
    expect(await send(`Bearer ${signToken({ sub: 'a', pol: 'p', exp: now })}`)).toEqual(
      invalid('Key not authorized: token has expired'),
    )
    expect(await send(`Bearer ${signToken({ sub: 'a', scp: 'write' })}`)).toEqual([
      403,
      `${realm}, error="insufficient_scope", error_description="key not authorized: no matching policy found in scope claim"`,
    ])
    expect(await send(`Bearer ${signToken({ sub: 'a', pol: 'p' })}`)).toEqual([200, undefined])
  })

  it('is 401 with a challenge on an API with OAuth', async () => {
    const { send, putKey } = await makeApi('oauth', on)
    const session = { org_id: 'org1', access_rights: { api: {} } }
    await putKey('org1known', { ...session, oauth_client_id: 'known' })
    await putKey('org1gone', { ...session, oauth_client_id: 'gone' })
    await putKey('org1expired', { ...session, oauth_client_id: 'known', expires: now - 1 })
    expect(await send(undefined)).toEqual([401, realm])
    expect(await send('Basic YTpi')).toEqual([401, realm])
    expect(await send('Bearer unknown')).toEqual(invalid('Key not authorised'))
    expect(await send('Bearer gone')).toEqual(invalid('Key not authorised. OAuth client access was revoked'))
    expect(await send('Bearer expired')).toEqual(invalid('Key has expired, please renew'))
    expect(await send('Bearer known')).toEqual([200, undefined])
  })

  it.each([undefined, { oauth: true, jwt: false }])('is as recorded if the setting is off: %j', async (settings) => {
    const { send } = await makeApi('jwt', settings)
    expect(await send(undefined)).toEqual([400, undefined])
    expect(await send('Bearer nonsense')).toEqual([403, undefined])
  })
})
