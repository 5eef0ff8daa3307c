import { describe, expect, it } from 'vitest'
import { signToken, testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Certificate } from '../../ports/certificates.ts'
import { defaultSettings, type GatewaySettings } from '../../ports/settings.ts'
import { identityKeyName } from '../../session/names/identity-key-name.ts'

const access_rights = { token: {}, cert: {}, jwt: {}, oauth: {}, basic: {}, hmac: {} }
const session = (more: object = {}) => ({ org_id: 'org1', access_rights, ...more })
const base64 = (text: string) => encodeBase64(utf8Bytes(text))

/** Certificates whose DER is the text of their fingerprint. */
const certificateOf = (sha256: string): Certificate => ({
  sha256,
  notBefore: 0,
  notAfter: Number.POSITIVE_INFINITY,
  isCa: false,
  maxIntermediates: -1,
  isIssuedBy: () => false,
})
const certificates = {
  read: (der: Uint8Array) => certificateOf(String.fromCharCode(...der)),
  find: (id: string) =>
    id === 'org1gone' ? undefined : { certificate: certificateOf(id.slice('org1'.length)), publicKey: undefined },
}

async function gateway(keys: Partial<GatewaySettings['keys']> = {}) {
  const api = (id: string, more: object) => definitionOf(id, { use_keyless: false, ...more })
  const made = await makeTestEngine({
    definitions: [
      api('token', { use_standard_auth: true }),
      api('cert', { use_standard_auth: true, auth_configs: { authToken: { use_certificate: true } } }),
      api('jwt', {
        enable_jwt: true,
        jwt_source: base64(testSecret),
        jwt_policy_field_name: 'pol',
      }),
      api('oauth', { use_oauth2: true }),
      api('basic', { use_basic_auth: true }),
    ],
    policies: { p: { id: 'p', org_id: 'org1', access_rights } },
    settings: { keys: { ...defaultSettings.keys, ...keys } },
    engine: { certificates, clientExists: () => true },
  })
  const sendRequest = async (api: string, authorization: string, connection: Partial<GatewayRequest> = {}) =>
    (await made.engine.handle({ ...requestOf('GET', `/${api}/x`, { authorization }), ...connection })).status
  return { ...made, sendRequest }
}

const overTls = (sha256: string): Partial<GatewayRequest> => ({ secure: true, clientCertificate: utf8Bytes(sha256) })

describe('a session that is used in another way than it was created for', () => {
  it.each([
    ['the name of a basic user', 'org1anna', { basic_auth_data: { password: 'hash', hash_type: 'bcrypt' } }],
    ['an HMAC key id', 'org1signer', { hmac_enabled: true, hmac_string: 'secret' }],
    ['a key id of RSA signatures', 'org1signer', { enable_http_signature_validation: true }],
    ['the key id of a JWT secret', 'org1kid', { jwt_data: { secret: 'secret' } }],
    ['the fingerprint of a certificate', 'org1c0ffee', { certificate: 'org1c0ffee' }],
    ['a key bound to certificates', 'org1bound', { mtls_static_certificate_bindings: ['org1c0ffee'] }],
  ])('is not accepted as an API key: %s', async (_, name, binding) => {
    const { sendRequest, putKey } = await gateway()
    await putKey(name, session(binding))
    for (const credential of [name, name.slice('org1'.length)]) {
      expect(await sendRequest('token', credential)).toBe(403)
      expect(await sendRequest('cert', credential)).toBe(403)
    }
  })

  it('is not accepted in the base64 form of its name', async () => {
    const { sendRequest, putKey } = await gateway({ hashKeys: true, hashFunction: 'sha256' })
    const name = base64('{"org":"org1","id":"anna","h":"sha256"}')
    const { hashKeyName } = await import('../../lib/hash/hash-key-name.ts')
    await putKey(hashKeyName(name), session({ basic_auth_data: { password: 'hash' } }))
    for (const credential of [name, 'anna', 'org1anna']) expect(await sendRequest('token', credential)).toBe(403)
  })

  it.each([false, true])('is not accepted if tokens created it, with hashed keys %s', async (hashKeys) => {
    const { sendRequest } = await gateway({ hashKeys })
    expect(await sendRequest('jwt', signToken({ sub: 'anna', pol: 'p', cid: 'client' }))).toBe(200)
    const name = identityKeyName('anna', 'org1', '')
    for (const credential of [name, name.slice('org1'.length)]) {
      expect(await sendRequest('token', credential)).toBe(403)
      expect(await sendRequest('oauth', `Bearer ${credential}`)).toBe(403)
    }
    expect(await sendRequest('jwt', signToken({ sub: 'anna', pol: 'p', cid: 'client' }))).toBe(200)
  })

  it('is accepted with session_proof recorded', async () => {
    const { sendRequest, putKey } = await gateway({ sessionProof: 'recorded' })
    await putKey('org1anna', session({ basic_auth_data: { password: 'hash' } }))
    expect(await sendRequest('token', 'anna')).toBe(200)
  })

  it('is not accepted with session_proof recorded where keys are certificates and its own is not stored', async () => {
    const { sendRequest, putKey } = await gateway({ sessionProof: 'recorded' })
    await putKey('org1bound', session({ certificate: 'org1c0ffee' }))
    await putKey('org1lost', session({ certificate: 'org1gone' }))
    expect([await sendRequest('cert', 'bound'), await sendRequest('cert', 'lost')]).toEqual([200, 403])
    expect(await sendRequest('token', 'lost')).toBe(200)
  })
})

describe('a session that is proven', () => {
  it('by its certificate works on that connection only', async () => {
    const { sendRequest, putKey } = await gateway()
    await putKey('org1c0ffee', session({ certificate: 'org1c0ffee' }))
    expect(await sendRequest('cert', 'org1c0ffee', overTls('c0ffee'))).toBe(200)
    expect(await sendRequest('token', 'org1c0ffee', overTls('c0ffee'))).toBe(200)
    expect(await sendRequest('token', 'org1c0ffee', overTls('beef'))).toBe(403)
  })

  it('by its password works with basic authentication', async () => {
    const { sendRequest, putKey } = await gateway()
    await putKey('org1anna', session({ basic_auth_data: { password: 'pw', hash_type: 'bcrypt' } }))
    expect(await sendRequest('basic', `Basic ${base64('anna:pw')}`)).toBe(200)
    expect(await sendRequest('basic', `Basic ${base64('anna:wrong')}`)).toBe(401)
  })

  it('only by its key works with every method, also with an alias', async () => {
    const { sendRequest, putKey } = await gateway()
    await putKey('org1plain', session({ alias: 'anna' }))
    expect(await sendRequest('token', 'plain')).toBe(200)
    expect(await sendRequest('cert', 'plain')).toBe(200)
  })
})
