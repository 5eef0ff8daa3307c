import { describe, expect, it } from 'vitest'
import { readShape } from '../lib/shape/shape.ts'
import { classicShape } from './classic.ts'
import { isAddressOrRange } from './ip-text.ts'
import { validateDefinition } from './validate-definition.ts'

const reason = (document: object) => validateDefinition(readShape(classicShape, document).value)

describe('a definition to store', () => {
  it('may be empty', () => {
    expect(reason({})).toBeUndefined()
  })

  it('must have a credential source for each auth mode that is on', () => {
    const off = { disable_header: true }
    expect(reason({ use_standard_auth: true, auth_configs: { authToken: off } })).toBe(
      'all auth sources are disabled for authToken, at least one of header/cookie/query must be enabled',
    )
    expect(reason({ use_openid: true, enable_jwt: true, auth_configs: { oidc: off, jwt: off } })).toContain('for jwt,')
    expect(reason({ auth_configs: { authToken: off } })).toBeUndefined()
    expect(
      reason({ use_standard_auth: true, auth_configs: { authToken: { ...off, use_cookie: true } } }),
    ).toBeUndefined()
    expect(reason({ auth_configs: { constructor: off } })).toBeUndefined()
  })

  it('must have valid addresses in the lists that are switched on', () => {
    const allowed_ips = ['10.0.0.1', '10.0.0.300']
    expect(reason({ enable_ip_whitelisting: true, allowed_ips })).toBe('invalid IP/CIDR "10.0.0.300"')
    expect(reason({ enable_ip_blacklisting: true, blacklisted_ips: ['10.0.0.0/33'] })).toBe(
      'invalid IP/CIDR "10.0.0.0/33"',
    )
    expect(reason({ allowed_ips })).toBeUndefined()
    const references = ['env://OFFICE', 'secrets://office', '10.0.0.0/secrets://bits']
    expect(reason({ enable_ip_whitelisting: true, allowed_ips: references })).toBeUndefined()
  })

  it('must not have negative timeouts, several upstream auth modes or an empty target list', () => {
    const versions = { v: { extended_paths: { hard_timeouts: [{ path: '/x', timeout: -1 }] } } }
    expect(reason({ version_data: { versions } })).toBe('invalid timeout value')
    const upstream_auth = { enabled: true, basic_auth: { enabled: true }, oauth: { enabled: true } }
    expect(reason({ upstream_auth })).toBe('multiple upstream authentication modes not allowed')
    expect(reason({ upstream_auth: { ...upstream_auth, enabled: false } })).toBeUndefined()
    expect(reason({ proxy: { enable_load_balancing: true } })).toBe(
      'all load balancing targets have weight 0, at least one target must have weight > 0',
    )
  })

  it('fails with the first reason in the order of the rules', () => {
    expect(
      reason({ enable_ip_whitelisting: true, allowed_ips: ['x'], proxy: { enable_load_balancing: true } }),
    ).toContain('IP')
  })
})

it.each(['1.2.3.4', '0.0.0.0/0', '::', '::1', 'fe80::1/64', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'])(
  '%s is an address',
  (text) => {
    expect(isAddressOrRange(text)).toBe(true)
  },
)

it.each([
  '',
  '1.2.3',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.4/',
  '1.2.3.4/33',
  '::1/129',
  '1::2::3',
  '1:2:3:4:5:6:7',
  ':::',
  'g::',
  '1.2.3.4::',
])('%j is not an address', (text) => {
  expect(isAddressOrRange(text)).toBe(false)
})
