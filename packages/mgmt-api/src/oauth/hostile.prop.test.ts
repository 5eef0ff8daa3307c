import fc from 'fast-check'
import { expect, test } from 'vitest'
import { basic, makeOAuthGateway } from '../../test/support/oauth-gateway.ts'

const name = fc.constantFrom(
  ...['grant_type', 'code', 'refresh_token', 'username', 'password', 'scope', 'redirect_uri', 'code_verifier'],
  ...['response_type', 'client_id', 'client_secret', 'state', 'key_rules', 'code_challenge', 'token', '__proto__', ''],
)
const value = fc.oneof(
  fc.constantFrom(
    'client_credentials',
    'password',
    'authorization_code',
    'refresh_token',
    'code',
    'token',
    'one',
    '{}',
  ),
  fc.constantFrom('http://client.test/cb', '%', '%zz', '%ff', 'a=b', '[[', '{"rate":', 'constructor', '\u0000'),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/[\uD800-\uDFFF]/g, '?')),
)
const pair = fc.tuple(name, value, fc.boolean())
const body = fc.oneof(
  fc
    .array(pair, { maxLength: 6 })
    .map((pairs) => pairs.map(([key, text, raw]) => `${key}=${raw ? text : encodeURIComponent(text)}`).join('&')),
  fc
    .array(pair, { maxLength: 4 })
    .map((pairs) => JSON.stringify(Object.fromEntries(pairs.map(([key, text]) => [key, text])))),
  fc.json({ maxDepth: 3 }),
)
const call = fc.record({
  path: fc.constantFrom('token', 'token/', 'authorize', 'revoke', 'revoke_all', 'approve'),
  method: fc.constantFrom('POST', 'POST', 'GET', 'PUT', 'HEAD', 'OPTIONS'),
  type: fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain', ''),
  authorization: fc.constantFrom(
    basic('one:one-secret'),
    basic('one'),
    basic(':'),
    'Basic',
    'Basic  =',
    'Bearer x',
    '',
  ),
  body,
})

test('the endpoints respond as documented to every generated request', async () => {
  const gateway = await makeOAuthGateway()
  await fc.assert(
    fc.asyncProperty(call, async ({ path, method, type, authorization, body: text }) => {
      const where = path === 'approve' ? '/a/svc/oauth/authorize-client' : `/a/oauth/${path}`
      const query = method === 'GET' || method === 'HEAD' ? `?${text.replaceAll(/[^\x21-\x7e]/g, '')}` : ''
      const headers = { 'content-type': type, authorization, 'x-svc-authorization': 'manager' }
      const response = await gateway.call(method, where + query, headers, query === '' ? text : '')
      expect([200, 307, 400, 401, 403, 404, 405]).toContain(response.status)
      expect(gateway.logged.filter(({ level }) => level === 'error')).toEqual([])
    }),
    { numRuns: 1500 },
  )
})
