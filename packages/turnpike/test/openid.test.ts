/** OpenID Connect on real sockets: an identity provider with an RSA key, and a gateway that accepts its ID tokens. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeMemoryLog } from '@turnpike/testkit'
import { afterEach, expect, it } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

async function startProvider(): Promise<string> {
  const server = createServer((request, response) => {
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' }] },
    }
    const found = documents[request.url ?? '']
    response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ends.push(() => server.close())
  return issuer
}

function idToken(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const data = `${encode({ alg: 'RS256', kid: 'k1' })}.${encode(claims)}`
  return `${data}.${sign('sha256', Buffer.from(data), privateKey).toString('base64url')}`
}

it('an ID token of the provider opens the API with the policy of its client', async () => {
  const upstream = await startRecordingUpstream()
  ends.push(() => upstream.close())
  const issuer = await startProvider()
  const gateway = await createGateway({
    config: { secret: 'a-management-key' },
    store: 'memory',
    log: makeMemoryLog(),
    definitions: [
      {
        name: 'shop',
        api_id: 'shop',
        org_id: 'acme',
        active: true,
        use_keyless: false,
        use_openid: true,
        openid_options: { providers: [{ issuer, client_ids: { [btoa('web-shop')]: 'shoppers' } }] },
        version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
        proxy: { listen_path: '/shop/', target_url: upstream.url, strip_listen_path: true },
      },
    ],
    policies: {
      shoppers: {
        id: 'shoppers',
        org_id: 'acme',
        active: true,
        quota_max: 1,
        quota_renewal_rate: 60,
        access_rights: { shop: { api_id: 'shop', versions: ['Default'] } },
      },
    },
  })
  ends.push(() => gateway.close(0))
  const { url } = await gateway.listen(0, '127.0.0.1')
  const exp = Math.floor(Date.now() / 1000) + 60
  const statusFor = async (claims: object) => {
    const authorization = `Bearer ${idToken({ iss: issuer, aud: 'web-shop', sub: 'anna', exp, ...claims })}`
    return (await fetch(`${url}/shop/x`, { headers: { authorization } })).status
  }
  expect(await statusFor({})).toBe(200)
  // The quota of the policy belongs to the subject, not to the token.
  expect(await statusFor({ jti: 'second' })).toBe(403)
  expect(await statusFor({ sub: 'bob' })).toBe(200)
  expect(await statusFor({ aud: 'another-client' })).toBe(401)
  expect((await fetch(`${url}/shop/x`)).status).toBe(401)
})
