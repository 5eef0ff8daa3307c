import { describe, expect, it } from 'vitest'
import { lintDefinition } from '../lint-definition.ts'
import type { LintOptions } from './lint.ts'

function warnings(fields: object, options: LintOptions = {}): string[] {
  const document = {
    name: 'a',
    api_id: 'a',
    active: true,
    use_keyless: true,
    proxy: { listen_path: '/a/', target_url: 'http://127.0.0.1:1/' },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    ...fields,
  }
  return lintDefinition(JSON.stringify(document), options).map(({ field }) => field)
}

it('every origin with credentials is warned about', () => {
  const cors = (more: object) => warnings({ CORS: { enable: true, allow_credentials: true, ...more } })
  expect(cors({ allowed_origins: ['*'] })).toEqual(['CORS.allowed_origins'])
  expect(cors({})).toEqual(['CORS.allowed_origins'])
  expect(cors({ allowed_origins: ['https://a.test', 'https://*.b.test'] })).toEqual([])
  expect(cors({ allowed_origins: ['*'], allow_credentials: false })).toEqual([])
  expect(cors({ allowed_origins: ['*'], enable: false })).toEqual([])
})

describe('a definition with address lists', () => {
  const lists = { allowed_ips: ['10.0.0.1'], blacklisted_ips: ['10.0.0.2'] }

  it('is warned about if clients choose their address', () => {
    expect(warnings(lists, { clientAddresses: 'any' })).toEqual(['allowed_ips', 'blacklisted_ips'])
    expect(warnings(lists, { clientAddresses: 'trusted' })).toEqual([])
  })
})

it('signatures without a limit of the clock skew are warned about', () => {
  const signed = { use_keyless: false, enable_signature_checking: true }
  expect(warnings(signed)).toContain('hmac_allowed_clock_skew')
  expect(warnings({ ...signed, hmac_allowed_clock_skew: 5000 })).not.toContain('hmac_allowed_clock_skew')
  const [finding] = lintDefinition(JSON.stringify({ name: 'a', api_id: 'a', ...signed })).filter(
    ({ field }) => field === 'hmac_allowed_clock_skew',
  )
  expect(finding?.fix).toContain('hmac_require_signed_content')
})
