/** Cases of stages that authenticate a client and check its key. */
import { createHash, createHmac, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { makeNodeCertificates } from '@turnpike/adapters/certificates-node'
import type { Certificates } from '@turnpike/core/ports'
import { keyed, paths } from '../subjects/definition.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import type { StageCase } from './stage-case.ts'

const secret = 'a-shared-secret-of-enough-length'

/** Stores a key whose limits are never reached, with extra fields. */
const withKey =
  (name: string, more: object = {}): NonNullable<StageCase['prepare']> =>
  ({ putKey }, id) =>
    putKey(name, { ...roomySession(id), ...more })

function token(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
const signature = encodeURIComponent(createHmac('sha256', secret).update(`date: ${date}`).digest('base64'))

/** A self-signed certificate that is valid now. */
function someCertificate(): Uint8Array {
  for (const pem of rootCertificates) {
    const { raw, validFrom, validTo } = new X509Certificate(pem)
    if (Date.parse(validFrom) < Date.now() && Date.now() < Date.parse(validTo)) return new Uint8Array(raw)
  }
  throw new Error('Node knows no certificate that is valid now')
}

function certificateCase(): StageCase {
  const shown = someCertificate()
  const read = makeNodeCertificates()
  const certificates: Certificates = {
    read: (der) => read.read(der),
    find: () => ({ certificate: read.read(shown), publicKey: undefined }),
  }
  const fingerprint = createHash('sha256').update(shown).digest('hex')
  return {
    name: 'client certificate',
    fields: { use_mutual_tls_auth: true, client_certificates: [`bench${fingerprint}`] },
    engine: { parts: { certificates } },
    request: { clientCertificate: shown },
  }
}

export const identityCases: readonly StageCase[] = [
  certificateCase(),
  {
    name: 'key, its rights, rate and quota',
    fields: keyed,
    prepare: withKey('benchkey'),
    request: { headers: ['authorization', 'benchkey'] },
  },
  {
    name: 'key with allowed paths',
    fields: keyed,
    prepare: (engine, id) =>
      withKey('benchkey', {
        access_rights: { [id]: { api_id: id, versions: ['Default'], allowed_urls: [{ url: '/x', methods: ['GET'] }] } },
      })(engine, id),
    request: { headers: ['authorization', 'benchkey'] },
  },
  {
    name: 'key that the upstream does not see',
    fields: { ...keyed, strip_auth_data: true },
    prepare: withKey('benchkey'),
    request: { headers: ['authorization', 'benchkey'] },
  },
  {
    name: 'basic authentication, remembered',
    fields: { use_keyless: false, use_basic_auth: true },
    prepare: withKey('benchanna', { basic_auth_data: { password: 'right', hash_type: 'bcrypt' } }),
    request: { headers: ['authorization', `Basic ${Buffer.from('anna:right').toString('base64')}`] },
  },
  {
    name: 'JSON web token (HS256)',
    fields: {
      use_keyless: false,
      enable_jwt: true,
      jwt_signing_method: 'hmac',
      jwt_source: '',
      jwt_skip_kid: true,
    },
    prepare: withKey('benchjwt', { jwt_data: { secret } }),
    request: { headers: ['authorization', `Bearer ${token({ sub: 'benchjwt' })}`] },
  },
  {
    name: 'signed request (HMAC, SHA-256)',
    fields: { use_keyless: false, enable_signature_checking: true },
    prepare: withKey('benchsigned', { hmac_enabled: true, hmac_string: secret }),
    request: {
      headers: [
        'date',
        date,
        'authorization',
        `Signature keyId="benchsigned",algorithm="hmac-sha256",signature="${signature}"`,
      ],
    },
  },
  {
    name: 'OAuth access token',
    fields: { use_keyless: false, use_oauth2: true, oauth_meta: { allowed_access_types: ['client_credentials'] } },
    prepare: async (made, id) => {
      const api = made.engine.definitions().find((one) => one.id === id)
      if (api === undefined) throw new Error(`the API ${id} was not loaded`)
      await made.oauth.of(api).clients.put({
        id: 'client',
        secret,
        redirectUri: '',
        metaData: {},
        policyId: '',
        description: '',
        exactRedirect: true,
      })
      await withKey('benchtoken', { oauth_client_id: 'client' })(made, id)
    },
    request: { headers: ['authorization', 'Bearer benchtoken'] },
  },
  {
    name: 'two modes at once',
    fields: {
      ...keyed,
      use_standard_auth: true,
      use_basic_auth: true,
      base_identity_provided_by: 'auth_token',
      auth_configs: {
        authToken: { auth_header_name: 'X-Key' },
        basic: { auth_header_name: 'Authorization' },
      },
      ...paths({}),
    },
    prepare: async (engine, id) => {
      await withKey('benchkey')(engine, id)
      await withKey('benchanna', { basic_auth_data: { password: 'right', hash_type: 'bcrypt' } })(engine, id)
    },
    request: {
      headers: ['x-key', 'benchkey', 'authorization', `Basic ${Buffer.from('anna:right').toString('base64')}`],
    },
  },
]
