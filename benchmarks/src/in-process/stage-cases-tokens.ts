/** Cases of tokens of other servers, and of alternative authentication methods. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { Fetch } from '@turnpike/core/ports'
import { roomySession } from '../subjects/roomy-session.ts'
import type { StageCase } from './stage-case.ts'

const issuer = 'https://issuer.test'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const expires = Math.floor(Date.now() / 1000) + 86_400

function token(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'RS256', typ: 'JWT', kid: 'k1' })}.${part(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

const bearer = (claims: object) => ({ headers: ['authorization', `Bearer ${token({ exp: expires, ...claims })}`] })

/** The documents of the token issuer. */
const served: Readonly<Record<string, object>> = {
  [`${issuer}/.well-known/openid-configuration`]: { issuer, jwks_uri: `${issuer}/keys` },
  [`${issuer}/keys`]: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] },
}
const fetch: Fetch = {
  get: async (url) => ({ status: 200, body: new TextEncoder().encode(JSON.stringify(served[url] ?? {})) }),
  postForm: () => Promise.reject(new Error('not used')),
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const groups = {
  openapi: '3.0.3',
  info: { title: 'bench', version: '1' },
  paths: {},
  security: [{ login: [] }, { key: [] }],
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      login: { type: 'http', scheme: 'basic' },
    },
  },
  'x-svc-api-gateway': {
    server: {
      authentication: {
        enabled: true,
        securityProcessingMode: 'compliant',
        securitySchemes: {
          key: { enabled: true, header: { enabled: true, name: 'X-Key' } },
          login: { enabled: true, header: { enabled: true, name: 'Authorization' } },
        },
      },
    },
  },
}

export const tokenCases: readonly StageCase[] = [
  {
    name: 'second of two alternative methods',
    fields: {
      use_keyless: false,
      is_oas: true,
      use_standard_auth: true,
      use_basic_auth: true,
      security_requirements: [['login'], ['key']],
      auth_configs: {
        authToken: { name: 'key', auth_header_name: 'X-Key' },
        basic: { name: 'login', auth_header_name: 'Authorization' },
      },
    },
    engine: { documents: { case: groups } },
    prepare: ({ putKey }, id) => putKey('benchkey', roomySession(id)),
    request: { headers: ['x-key', 'benchkey'] },
  },
  {
    name: 'access token of another server (RS256)',
    fields: {
      use_keyless: false,
      external_oauth: {
        enabled: true,
        providers: [
          {
            jwt: {
              enabled: true,
              signing_method: 'rsa',
              source: base64(publicKey.export({ type: 'spki', format: 'pem' }).toString()),
            },
          },
        ],
      },
    },
    // A stored session, because the rate of the session that is made for an unknown identity is soon reached.
    prepare: ({ putKey }, id) => putKey(`bench${createHash('md5').update('anna').digest('hex')}`, roomySession(id)),
    request: bearer({ sub: 'anna' }),
  },
  {
    name: 'ID token of OpenID Connect (RS256)',
    fields: {
      use_keyless: false,
      use_openid: true,
      openid_options: { providers: [{ issuer, client_ids: { [base64('web')]: 'roomy' } }] },
    },
    engine: { parts: { fetch }, policies: { roomy: { id: 'roomy', ...roomySession('case') } } },
    request: bearer({ iss: issuer, aud: 'web', sub: 'anna' }),
  },
]
