import { describe, expect, it } from 'vitest'
import { signToken, testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import { collectResponse } from '../../engine/inject.ts'
import { streamOf } from '../../http/byte-stream.ts'
import { headerOf } from '../../http/headers.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import { claimsOfToken, claimText } from './token-variables.ts'

const claimName = 'tenant-id'
const claims = { user: 'ann', tenant: 'acme', alg: 'from claims', [claimName]: 7, admin: true }

async function makeApi(context = true) {
  const rule = { path: '/body', method: 'POST' }
  const source = '{"who":{{._svc_context.jwt_claims_user | jsonMarshal}},"admin":{{._svc_context.jwt_claims_admin}}}'
  const version = {
    name: 'Default',
    use_extended_paths: true,
    global_headers: { 'X-User': '$svc_context.jwt_claims_user', 'X-Key': '$svc_context.token' },
    extended_paths: {
      url_rewrites: [
        {
          path: '/orders',
          method: 'GET',
          match_pattern: '.*',
          rewrite_to: '/tenants/$svc_context.jwt_claims_tenant/orders',
        },
      ],
      transform: [
        { ...rule, template_data: { template_mode: 'blob', template_source: encodeBase64(utf8Bytes(source)) } },
      ],
    },
  }
  const definition = definitionOf('api', {
    use_keyless: false,
    enable_jwt: true,
    enable_context_vars: context,
    jwt_signing_method: 'hmac',
    jwt_source: encodeBase64(utf8Bytes(testSecret)),
    jwt_identity_base_field: 'user',
    jwt_policy_field_name: 'pol',
    version_data: { not_versioned: true, versions: { Default: version } },
    response_processors: [
      { name: 'header_injector', options: { add_headers: { 'X-User': '$svc_context.jwt_claims_user' } } },
    ],
  })
  const policy = { id: 'p', org_id: 'org1', access_rights: { api: { api_id: 'api', versions: ['Default'] } } }
  return makeTestEngine({ definitions: [definition], policies: { p: policy } })
}
const authorization = `Bearer ${signToken({ ...claims, pol: 'p' })}`

describe('claims of a token', () => {
  it('are variables of headers, response headers, rewrites and bodies', async () => {
    const { send, engine, upstreamRequests } = await makeApi()
    const response = await send('GET', '/api/orders', { authorization })
    expect(headerOf(response.headers, 'x-user')).toBe('ann')
    const bytes = utf8Bytes('{}')
    const post = requestOf('POST', '/api/body', { authorization, 'content-length': '2' })
    await collectResponse(await engine.handle({ ...post, body: streamOf(bytes), bodyLength: 2 }))
    const [first, second] = upstreamRequests
    expect(first?.path).toBe('/tenants/acme/orders')
    expect(headerOf(first?.headers ?? [], 'x-user')).toBe('ann')
    expect(headerOf(first?.headers ?? [], 'x-key')).toMatch(/^org1[0-9a-f]{32}$/)
    expect(utf8Text(second?.body as Uint8Array)).toBe('{"who":"ann","admin":true}')
  })

  it('are empty without context variables', async () => {
    const { send, upstreamRequests } = await makeApi(false)
    await send('GET', '/api/x', { authorization })
    expect(headerOf(upstreamRequests[0]?.headers ?? [], 'x-user')).toBe('')
  })

  it('replace members of the header, and keep their types and digits', () => {
    const part = (text: string) => Buffer.from(text).toString('base64url')
    const made = claimsOfToken(`${part('{"alg":"HS256","kid":"k"}')}.${part('{"kid":"é","n":1285704473650888702}')}.x`)
    expect([...made.keys()]).toEqual(['alg', 'kid', 'n'])
    expect(['alg', 'kid', 'n'].map((name) => claimText(made.get(name)))).toEqual(['HS256', 'é', '1285704473650888702'])
  })

  it.each([
    ['"a b&c"', 'a b&c'],
    ['1700000000', '1700000000'],
    ['1.5e3', '1500'],
    ['1e21', '1000000000000000000000'],
    ['2.5e-7', '0.00000025'],
    ['-0.25', '-0.25'],
    ['["a b", 2, "", true, "c,d", 1e3]', 'a+b,2,c%2Cd,1000'],
    ['true', ''],
    ['null', ''],
    ['{"a":1}', ''],
  ])('%s is %s as a text', (json, expected) => {
    const token = `e30.${Buffer.from(`{"c":${json}}`).toString('base64url')}.x`
    expect(claimText(claimsOfToken(token).get('c'))).toBe(expected)
  })
})
