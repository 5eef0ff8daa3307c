/** No request without the secret is accepted, and no header makes a stage throw. */
import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { testSecret } from '../../../test/support/jwt/sign-token.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const source = encodeBase64(utf8Bytes(testSecret))
const closed = { use_keyless: false }
const access_rights = { jwt: {}, own: {}, hmac: {}, basic: {} }
const made = await makeTestEngine({
  definitions: [
    definitionOf('jwt', { ...closed, enable_jwt: true, jwt_source: source, jwt_default_policies: ['p'] }),
    definitionOf('own', { ...closed, enable_jwt: true }),
    definitionOf('hmac', { ...closed, enable_signature_checking: true }),
    definitionOf('basic', { ...closed, use_basic_auth: true }),
  ],
  policies: { p: { id: 'p', org_id: 'org1', access_rights } },
})
await made.putKey('org1k', {
  org_id: 'org1',
  access_rights,
  jwt_data: { secret: 's' },
  hmac_enabled: true,
  hmac_string: 's',
  basic_auth_data: { password: 'pw', hash_type: 'bcrypt' },
})

const statusOf = async (api: string, authorization: string) =>
  (await made.send('GET', `/${api}/x`, { authorization, date: 'Thu, 01 Jan 2026 00:00:00 GMT' })).status

const loggedError = () => made.logged.some((line) => line.level === 'error')

describe('hostile headers', () => {
  const junk = fc.string({
    maxLength: 200,
    unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)),
  })
  const quoted = fc.array(fc.tuple(fc.constantFrom('keyId', 'algorithm', 'headers', 'signature', 'x'), junk))
  const signature = quoted.map((fields) => `Signature ${fields.map(([name, value]) => `${name}="${value}"`).join(',')}`)
  const credentials = junk.map((text) => `Basic ${encodeBase64(utf8Bytes(text))}`)

  test.prop([fc.oneof(junk, signature, credentials)])(
    'are never accepted and never make a stage throw',
    async (header) => {
      for (const api of ['jwt', 'own', 'hmac', 'basic']) expect(await statusOf(api, header)).not.toBe(200)
      expect(loggedError()).toBe(false)
    },
  )
})
