import { expect, it } from 'vitest'
import { formatFinding } from '../config/finding.ts'
import { checkDefinitions } from './check-definitions.ts'

async function check(fields: object): Promise<string[]> {
  const text = JSON.stringify({
    name: 'a',
    api_id: 'a',
    org_id: 'o',
    active: true,
    enable_jwt: true,
    jwt_signing_method: 'rsa',
    jwt_identity_base_field: 'sub',
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: '/a/', target_url: 'http://up.test' },
    ...fields,
  })
  const file = { file: 'apps/a.json', text, problem: undefined }
  const { findings } = await checkDefinitions([file], { readTemplate: () => undefined })
  return findings.map((one) => formatFinding(one).replace(/json:\d+:\d+/, 'json'))
}

it('a key set without issuer and audience is found', async () => {
  const url = 'https://issuer.test/keys'
  const finding = (field: string) => [
    `apps/a.json  warning  ${field}: is a key set, so every token that its issuer signs for any audience is accepted (set jwt_allowed_issuers and jwt_allowed_audiences) [unbound-key-set]`,
  ]
  expect(await check({ jwt_source: url })).toEqual(finding('jwt_source'))
  expect(await check({ jwt_source: btoa(url) })).toEqual(finding('jwt_source'))
  expect(await check({ jwt_jwks_uris: [{ url }] })).toEqual(finding('jwt_jwks_uris'))
  expect(await check({ jwt_source: url, jwt_allowed_audiences: ['orders'] })).toEqual([])
  expect(await check({ jwt_source: url, jwt_allowed_issuers: ['https://issuer.test'] })).toEqual([])
  expect(await check({ jwt_source: btoa('a secret') })).toEqual([])
})
