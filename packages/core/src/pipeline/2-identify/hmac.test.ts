import { createHash, createHmac, generateKeyPairSync, sign as signBy, verify as verifyBy } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import { streamOf } from '../../http/byte-stream.ts'

const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
const rejected = '400 Authorization field missing, malformed or invalid'

async function makeApi(more: object = {}, engine: object = {}) {
  const made = await makeTestEngine({
    engine,
    definitions: [definitionOf('api', { use_keyless: false, enable_signature_checking: true, ...more })],
  })
  const key = { org_id: 'org1', hmac_enabled: true, hmac_string: 'secret', access_rights: { api: {} } }
  await made.putKey('org1signer', key)
  await made.putKey('org1idle', { ...key, hmac_enabled: false })
  const sendRequest = async (headers: Record<string, string>, path = '/api/x') => {
    const response = await made.send('GET', path, headers)
    const { error } = response.status === 200 ? { error: '' } : JSON.parse(String(response.body))
    return `${response.status} ${error}`.trim()
  }
  return { ...made, sendRequest }
}

function sign(
  text: string,
  more: { alg?: string; hash?: string; keyId?: string; headers?: string; secret?: string } = {},
) {
  const { alg = 'hmac-sha256', hash = 'sha256', keyId = 'signer', headers, secret = 'secret' } = more
  const signature = encodeURIComponent(createHmac(hash, secret).update(text, 'latin1').digest('base64'))
  const list = headers === undefined ? '' : `headers="${headers}",`
  return `Signature keyId="${keyId}",algorithm="${alg}",${list}signature="${signature}"`
}

describe('a signed request', () => {
  it.each([
    ['hmac-sha1', 'sha1'],
    ['hmac-sha256', 'sha256'],
    ['hmac-sha384', 'sha384'],
    ['hmac-sha512', 'sha512'],
    ['unheard-of', 'sha1'],
  ])('is accepted with %s', async (alg, hash) => {
    const { sendRequest } = await makeApi()
    expect(await sendRequest({ date, authorization: sign(`date: ${date}`, { alg, hash }) })).toBe('200')
  })

  it('can cover its target and any header', async () => {
    const { sendRequest } = await makeApi()
    const authorization = sign(`(request-target): get /api/x\nx-a: é`, { headers: '(request-target) X-A' })
    expect(await sendRequest({ date, authorization, 'x-a': 'é' })).toBe('200')
    expect(await sendRequest({ date, authorization, 'x-a': 'e' })).toBe(rejected)
    expect(await sendRequest({ date, authorization, 'x-a': 'é' }, '/api/y')).toBe(rejected)
  })

  it('can have escapes in lower case', async () => {
    const { sendRequest } = await makeApi()
    const lower = sign(`date: ${date}`).replace(/%../g, (digits) => digits.toLowerCase())
    expect(lower).toContain('%3d')
    expect(await sendRequest({ date, authorization: lower })).toBe('200')
  })

  it('can send its date in X-Aux-Date', async () => {
    const { sendRequest } = await makeApi()
    expect(await sendRequest({ 'x-aux-date': date, authorization: sign(`x-aux-date: ${date}`) })).toBe('200')
    expect(await sendRequest({ 'x-aux-date': date, authorization: sign(`date: ${date}`) })).toBe('200')
  })

  it('is rejected with the same text for every reason', async () => {
    const { sendRequest } = await makeApi({ hmac_allowed_algorithms: ['hmac-sha256'] })
    const text = `date: ${date}`
    expect(await sendRequest({})).toBe(rejected)
    expect(await sendRequest({ date })).toBe(rejected)
    expect(await sendRequest({ date, authorization: 'Signature nonsense' })).toBe(rejected)
    expect(await sendRequest({ authorization: sign('date: ') })).toBe(rejected)
    expect(await sendRequest({ date: 'today', authorization: sign('date: today') })).toBe(rejected)
    expect(await sendRequest({ date, authorization: sign(text, { keyId: 'nobody' }) })).toBe(rejected)
    expect(await sendRequest({ date, authorization: sign(text, { keyId: 'idle' }) })).toBe(rejected)
    expect(await sendRequest({ date, authorization: sign(text, { secret: 'wrong' }) })).toBe(rejected)
    expect(await sendRequest({ date, authorization: sign(text, { alg: 'hmac-sha1', hash: 'sha1' }) })).toBe(rejected)
    expect(await sendRequest({ date, authorization: sign(text) })).toBe('200')
  })

  it('is rejected if its key id is no longer than min_token_length', async () => {
    const { sendRequest, putKey } = await makeApi()
    const key = { org_id: 'org1', hmac_enabled: true, hmac_string: 'secret', access_rights: { api: {} } }
    await putKey('org1abc', key)
    const text = `date: ${date}`
    expect(await sendRequest({ date, authorization: sign(text, { keyId: 'abc' }) })).toBe(rejected)
    expect(await sendRequest({ date, authorization: sign(text, { keyId: 'org1abc' }) })).toBe('200')
  })

  it('can be as old as the API allows', async () => {
    const { sendRequest, advance } = await makeApi({ hmac_allowed_clock_skew: 1000 })
    const headers = { date, authorization: sign(`date: ${date}`) }
    advance(1000)
    expect(await sendRequest(headers)).toBe('200')
    advance(1)
    expect(await sendRequest(headers)).toBe(rejected)
  })

  it('can be signed with RSA and verified with the certificate of its key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const verify = (data: Uint8Array, signature: Uint8Array) => verifyBy('sha256', data, publicKey, signature)
    const find = (id: string) => (id === 'cert' ? { certificate: undefined, publicKey: { verify } } : undefined)
    const { sendRequest, putKey } = await makeApi({}, { certificates: { read: () => undefined, find } })
    const key = { org_id: 'org1', enable_http_signature_validation: true, access_rights: { api: {} } }
    await putKey('org1rsa-key', { ...key, rsa_certificate_id: 'cert' })
    await putKey('org1gone', { ...key, rsa_certificate_id: 'gone' })
    await putKey('org1rsa-off', { ...key, enable_http_signature_validation: false, rsa_certificate_id: 'cert' })
    const signature = encodeURIComponent(signBy('sha256', Buffer.from(`date: ${date}`), privateKey).toString('base64'))
    const by = (keyId: string) => ({
      date,
      authorization: `Signature keyId="${keyId}",algorithm="rsa-sha256",signature="${signature}"`,
    })
    expect(await sendRequest(by('rsa-key'))).toBe('200')
    expect(await sendRequest({ ...by('rsa-key'), date: 'Thu, 01 Jan 2026 00:00:01 GMT' })).toBe(rejected)
    expect(await sendRequest(by('gone'))).toBe(rejected)
    expect(await sendRequest(by('rsa-off'))).toBe(rejected)
    expect(await sendRequest(by('signer'))).toBe(rejected)
  })
})

describe('an API that requires signed content', () => {
  const target = '(request-target): post /api/x?y=1'
  const digestOf = (body: string, algorithm = 'sha256') => createHash(algorithm).update(body).digest('base64')
  const digest = `SHA-256=${digestOf('{}')}`

  async function post(signed: string, more: { headers?: Record<string, string>; body?: string; path?: string } = {}) {
    const { engine, putKey } = await makeTestEngine({
      definitions: [
        definitionOf('api', {
          use_keyless: false,
          enable_signature_checking: true,
          hmac_require_signed_content: true,
        }),
      ],
    })
    await putKey('org1signer', {
      org_id: 'org1',
      hmac_enabled: true,
      hmac_string: 'secret',
      access_rights: { api: {} },
    })
    const names = signed.split('\n').map((line) => line.slice(0, line.indexOf(': ')))
    const { body = '{}', path = '/api/x?y=1' } = more
    const headers = { date, authorization: sign(signed, { headers: names.join(' ') }), ...more.headers }
    const bytes = Buffer.from(body)
    const request = requestOf('POST', path, headers)
    const sent = body === '' ? request : { ...request, body: streamOf(bytes), bodyLength: bytes.length }
    return (await engine.handle(sent)).status
  }

  it.each([
    ['SHA-256', digest],
    ['SHA-512', `SHA-512=${digestOf('{}', 'sha512')}`],
    ['both', `SHA-512=${digestOf('{}', 'sha512')}, sha-256=${digestOf('{}')}`],
  ])('accepts a request with target, date and digest (%s)', async (_, value) => {
    const signed = `${target}\ndate: ${date}\ndigest: ${value}`
    expect(await post(signed, { headers: { digest: value } })).toBe(200)
  })

  it.each([
    ['the target', `date: ${date}\ndigest: ${digest}`],
    ['the date', `${target}\ndigest: ${digest}`],
    ['the digest', `${target}\ndate: ${date}`],
    ['a date that is sent', `${target}\nx-aux-date: \ndigest: ${digest}`],
  ])('rejects a signature without %s', async (_, signed) => {
    expect(await post(signed, { headers: { digest } })).toBe(400)
  })

  it('rejects another body, another query and a digest that it cannot check', async () => {
    const signed = `${target}\ndate: ${date}\ndigest: ${digest}`
    expect(await post(signed, { headers: { digest }, body: '{ }' })).toBe(400)
    expect(await post(signed, { headers: { digest }, body: '' })).toBe(400)
    expect(await post(signed, { headers: { digest }, path: '/api/x?y=2' })).toBe(400)
    const unknown = `MD5=${digestOf('{}', 'md5')}`
    expect(await post(signed.replace(digest, unknown), { headers: { digest: unknown } })).toBe(400)
  })

  it('needs no digest without a body', async () => {
    expect(await post(`${target}\ndate: ${date}`, { body: '' })).toBe(200)
  })
})
