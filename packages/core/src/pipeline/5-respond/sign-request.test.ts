import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { headerOf, headersOf } from '../../http/headers.ts'
import { macOf } from '../../lib/mac.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { NamedCertificate } from '../../ports/certificates.ts'

const date = 'Tue, 03 Mar 2026 08:00:00 GMT'
const complete = { is_enabled: true, key_id: 'pier-1', secret: 'low-tide', algorithm: 'hmac-sha256' }

async function send(
  signing: object,
  headers: Record<string, string>,
  more: { path?: string; method?: string; api?: object; certificate?: NamedCertificate | undefined } = {},
) {
  const test = await makeTestEngine({
    definitions: [definitionOf('a', { request_signing: { ...complete, ...signing }, ...more.api })],
    engine: { certificates: { read: () => undefined, find: () => more.certificate } },
  })
  const response = await test.send(more.method ?? 'GET', more.path ?? '/a/x', headers)
  const sent = test.upstreamRequests[0]?.headers ?? []
  return { response, sent, signature: headerOf(sent, 'authorization') }
}

const headerFor = (names: string, text: string, secret = 'low-tide') => {
  const signature = encodeURIComponent(encodeBase64(macOf('sha256', utf8Bytes(secret), utf8Bytes(text))))
  return `Signature keyId="pier-1",algorithm="hmac-sha256",headers="${names}",signature="${signature}"`
}

describe('a signed request', () => {
  it.each([
    ['hmac-sha1', 'H7SdMm5C0SE3ajJon3nDHMzg31g%3D'],
    ['hmac-sha256', 'AzcShcIlvXvQVd9oK7L2m%2F4QhrfJhqHBSxFEPBP4qPU%3D'],
    ['hmac-sha384', 'rV%2BFO9jfvYGMGcX%2B3b6IZr2YmHHEF5MUItIJB0VPuBecdZVNykp99AckOYUm7UMy'],
  ])('has the signature of the test vector for %s', async (algorithm, signature) => {
    const sent = await send({ algorithm, header_list: ['date'] }, { date, authorization: 'mine' })
    expect(headersOf(sent.sent, 'authorization')).toEqual([
      `Signature keyId="pier-1",algorithm="${algorithm}",headers="date",signature="${signature}"`,
    ])
  })

  it('has the listed headers that exist, without host and request target', async () => {
    const list = ['X-Cargo', '(request-target)', 'Host', 'x-none', 'Date']
    const { signature } = await send({ header_list: list }, { date, 'x-cargo': ' salt ', host: 'a.test' })
    expect(signature).toBe(headerFor('X-Cargo Date', `x-cargo: salt\ndate: ${date}`))
  })

  it('has request target and date if no listed header exists', async () => {
    const { signature, sent } = await send(
      { header_list: ['x-none'] },
      {},
      { method: 'POST', path: '/a/b%20c?y=2&x=1' },
    )
    expect(headerOf(sent, 'date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
    const text = '(request-target): post /b%20c?y=2&x=1\ndate: Thu, 01 Jan 2026 00:00:00 GMT'
    expect(signature).toBe(headerFor('(request-target) date', text))
  })

  it('has all headers without a list, except those that change on the way', async () => {
    const headers = { 'x-a': '1', host: 'h', connection: 'x', te: 'trailers', authorization: 'mine', expect: 'y', date }
    const { signature } = await send({ header_list: [] }, { ...headers, 'x-forwarded-for': '10.0.0.1' })
    const text = `(request-target): get /x\nx-a: 1\ndate: ${date}`
    expect(signature).toBe(headerFor('(request-target) x-a date', text))
  })

  it('has X-Aux-Date in the place of the date', async () => {
    const { signature } = await send({ header_list: ['date'] }, { date, 'x-aux-date': 'then' })
    expect(signature).toBe(headerFor('date', 'x-aux-date: then'))
  })

  it('has a secret of UTF-8 bytes, and header values of single bytes', async () => {
    const { signature } = await send({ secret: 'Ebbe ü', header_list: ['x-a'] }, { 'x-a': '\u00e9' })
    const expected = encodeBase64(macOf('sha256', utf8Bytes('Ebbe ü'), new Uint8Array([120, 45, 97, 58, 32, 0xe9])))
    expect(signature).toContain(encodeURIComponent(expected))
  })

  it('leaves a client header alone that is not the header of the signature', async () => {
    const { sent } = await send({ header_list: ['date'], signature_header: 'X-Seal' }, { date, authorization: 'mine' })
    expect(headerOf(sent, 'authorization')).toBe('mine')
    expect(headerOf(sent, 'x-seal')).toContain('keyId="pier-1"')
  })

  it('is signed with the key of a certificate, in plain base64', async () => {
    const certificate: NamedCertificate = {
      certificate: undefined,
      publicKey: undefined,
      signingKey: { sign: async (data) => utf8Bytes(`signed ${utf8Text(data)}`) },
    }
    const rsa = { algorithm: 'rsa-sha256', certificate_id: 'c', header_list: ['date'] }
    const { signature } = await send(rsa, { date }, { certificate })
    expect(signature).toContain(`signature="${encodeBase64(utf8Bytes(`signed date: ${date}`))}"`)
  })
})

describe('a request that cannot be signed', () => {
  const bare: NamedCertificate = { certificate: undefined, publicKey: undefined }
  it.each([
    [{ key_id: '' }, {}, 'Fields required for signing the request are missing'],
    [{ algorithm: '' }, {}, 'Fields required for signing the request are missing'],
    [{ secret: '' }, {}, 'Fields required for signing the request are missing'],
    [{ secret: 'env://NOT_SET' }, {}, 'Fields required for signing the request are missing'],
    [{ algorithm: 'rsa-sha256' }, {}, 'Fields required for signing the request are missing'],
    [{ algorithm: 'hmac-md5' }, {}, 'Request signing algorithm is not supported'],
    [{}, { hmac_allowed_algorithms: ['hmac-sha512'] }, 'Request signing algorithm is not supported'],
    [{ algorithm: 'rsa-sha256', certificate_id: 'c' }, {}, 'Certificate not found'],
    [
      { algorithm: 'rsa-sha256', certificate_id: 'c' },
      { certificate: bare },
      'Certificate does not contain RSA private key',
    ],
  ])('%j %j is rejected', async (signing, more, message) => {
    const { certificate, ...api } = more as { certificate?: NamedCertificate }
    const { response, sent } = await send(signing, { date }, { api, certificate })
    expect([response.status, response.body]).toEqual([500, expect.stringContaining(message)])
    expect(sent).toEqual([])
  })
})
