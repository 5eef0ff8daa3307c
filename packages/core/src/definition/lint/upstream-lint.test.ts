import { describe, expect, it } from 'vitest'
import { lintDefinition } from '../lint-definition.ts'

function places(fields: object, proxy: object = {}): string[] {
  const document = {
    name: 'a',
    api_id: 'a',
    active: true,
    use_keyless: true,
    proxy: { listen_path: '/a/', target_url: 'http://127.0.0.1:1/', ...proxy },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    ...fields,
  }
  return lintDefinition(JSON.stringify(document)).map(({ severity, field }) => `${severity} ${field}`)
}

describe('checking service discovery', () => {
  const discovery = (more: object, proxy: object = {}) =>
    places(
      {},
      {
        service_discovery: {
          use_discovery_service: true,
          query_endpoint: 'http://names.test/',
          data_path: 'at',
          ...more,
        },
        ...proxy,
      },
    ).map((place) => place.replace('proxy.service_discovery.', ''))

  it('accepts valid settings, also load balancing without a target list', () => {
    expect(discovery({})).toEqual([])
    const list = { endpoint_returns_list: true, use_target_list: true }
    expect(discovery(list, { enable_load_balancing: true })).toEqual([])
  })

  it('ignores settings that are switched off', () => {
    expect(discovery({ use_discovery_service: false, query_endpoint: '', data_path: '' })).toEqual([])
  })

  it('reports settings that never find a target', () => {
    expect(discovery({ query_endpoint: '' })).toEqual(['error query_endpoint'])
    expect(discovery({ query_endpoint: 'tcp://names.test' })).toEqual(['error query_endpoint'])
    expect(discovery({ data_path: '' })).toEqual(['error data_path'])
    expect(discovery({ use_nested_query: true })).toEqual(['error parent_data_path'])
    expect(discovery({ use_target_list: true }, { enable_load_balancing: true })).toEqual(['error parent_data_path'])
  })

  it('reports settings that have another effect than their name says', () => {
    const list = { endpoint_returns_list: true, use_target_list: true }
    expect(discovery(list)).toEqual(['warning proxy.enable_load_balancing'])
    expect(discovery({ cache_disabled: true })).toEqual(['warning cache_disabled'])
  })
})

describe('checking request signing', () => {
  const signing = (more: object, fields: object = {}) => {
    const valid = { is_enabled: true, key_id: 'k', algorithm: 'hmac-sha256', secret: 's' }
    return places({ request_signing: { ...valid, ...more }, ...fields }).map((place) =>
      place.replace('request_signing.', ''),
    )
  }

  it('accepts complete settings, and anything while it is off', () => {
    expect(signing({})).toEqual([])
    expect(signing({ algorithm: 'rsa-sha256', secret: '', certificate_id: 'c' })).toEqual([])
    expect(signing({ is_enabled: false, key_id: '', algorithm: 'x' })).toEqual([])
  })

  it('reports settings with which every request fails', () => {
    expect(signing({ key_id: '' })).toEqual(['error key_id'])
    expect(signing({ algorithm: 'hmac-md5' })).toEqual(['error algorithm'])
    expect(signing({}, { hmac_allowed_algorithms: ['hmac-sha512'] })).toEqual(['error algorithm'])
    expect(signing({ secret: '' })).toEqual(['error secret'])
    expect(signing({ algorithm: 'rsa-sha256' })).toEqual(['error certificate_id'])
  })
})

describe('checking authentication to the upstream', () => {
  const basic = { enabled: true, username: 'u', password: 'p' }
  const grant = { client_id: 'c', client_secret: 's', token_url: 'https://issuer.test/token' }
  const oauth = (more: object) => ({ enabled: true, client_credentials: { ...grant, ...more } })
  const auth = (upstream_auth: object, fields: object = {}) =>
    places({ upstream_auth: { enabled: true, ...upstream_auth }, ...fields }).map((place) =>
      place.replace('upstream_auth.oauth.', ''),
    )

  it('accepts complete settings, and anything while it is off', () => {
    expect(auth({ basic_auth: basic })).toEqual([])
    expect(auth({ oauth: oauth({}) })).toEqual([])
    expect(auth({ oauth: oauth({ token_url: 'env://TOKEN_URL' }) })).toEqual([])
    expect(auth({ enabled: false, oauth: oauth({ token_url: '' }) })).toEqual([])
  })

  it('reports settings with which every request fails', () => {
    expect(auth({ basic_auth: basic, oauth: oauth({}) })).toEqual(['error upstream_auth'])
    expect(auth({ oauth: oauth({ token_url: '' }) })).toEqual(['error allowed_authorize_types'])
    expect(auth({ oauth: oauth({ token_url: 'issuer.test' }) })).toEqual(['error client_credentials.token_url'])
    expect(auth({ oauth: oauth({ client_id: '' }) })).toEqual(['error client_credentials.client_id'])
  })

  it('reports a header that is set twice', () => {
    const request_signing = { is_enabled: true, key_id: 'k', algorithm: 'hmac-sha256', secret: 's' }
    expect(auth({ basic_auth: basic }, { request_signing })).toEqual(['error request_signing.signature_header'])
  })
})
