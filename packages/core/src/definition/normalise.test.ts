import { describe, expect, it } from 'vitest'
import { readShape } from '../lib/shape/shape.ts'
import { classicShape } from './classic.ts'
import { normaliseDefinition } from './normalise.ts'

function normalised(document: object) {
  return normaliseDefinition(readShape(classicShape, document).value, { source: 'a.json', hash: '1' })
}

function version(fields: object) {
  const made = normalised({ version_data: { not_versioned: true, versions: { Default: fields } } }).versions.get(
    'Default',
  )
  if (made === undefined) throw new Error('no version')
  return made
}

describe('auth modes', () => {
  it('are none on a keyless API, even if others are on', () => {
    expect(normalised({ use_keyless: true, use_basic_auth: true }).authModes).toEqual([])
  })

  it('are the auth token if none is on', () => {
    expect(normalised({}).authModes).toEqual(['token'])
    expect(normalised({ use_mutual_tls_auth: true }).authModes).toEqual(['token'])
  })

  it('are in the order of their checks', () => {
    const all = {
      use_standard_auth: true,
      use_openid: true,
      external_oauth: { enabled: true },
      enable_jwt: true,
      custom_plugin_auth_enabled: true,
      enable_signature_checking: true,
      use_basic_auth: true,
      use_oauth2: true,
    }
    expect(normalised(all).authModes).toEqual([
      'oauth',
      'external-oauth',
      'basic',
      'hmac',
      'jwt',
      'openid',
      'custom',
      'token',
    ])
  })
})

describe('the places of a key', () => {
  it('are the Authorization header by default', () => {
    expect(normalised({}).tokenPlaces).toEqual({ header: 'authorization', param: undefined, cookie: undefined })
  })

  it('have the name of the header by default', () => {
    const auth = { auth_header_name: 'X-Key', use_param: true, use_cookie: true, cookie_name: 'c' }
    expect(normalised({ auth }).tokenPlaces).toEqual({ header: 'x-key', param: 'X-Key', cookie: 'c' })
  })

  it('are those of auth_configs.authToken alone if it exists', () => {
    const auth_configs = { authToken: { use_param: true, disable_header: true } }
    expect(normalised({ auth: { auth_header_name: 'X-Key' }, auth_configs }).tokenPlaces).toEqual({
      header: undefined,
      param: 'Authorization',
      cookie: undefined,
    })
  })
})

describe('the rules of a version', () => {
  it('are the extended paths without the disabled ones', () => {
    const { paths } = version({
      use_extended_paths: true,
      paths: { black_list: ['/plain'] },
      extended_paths: { black_list: [{ path: '/no' }, { path: '/off', disabled: true }], cache: ['/c'] },
    })
    expect(paths.blackList.map((rule) => rule.path)).toEqual(['/no'])
    expect(paths.cache).toEqual(['/c'])
    expect(paths.rateLimit).toEqual([])
  })

  it('are the plain lists if extended paths are off', () => {
    const { paths } = version({
      paths: { black_list: ['/no'], ignored: [] },
      extended_paths: { black_list: [{ path: '/ext' }], cache: ['/c'] },
    })
    expect(paths.blackList).toEqual([
      { path: '/no', method: '', disabled: false, ignoreCase: false, methodActions: null },
    ])
    expect(paths.cache).toEqual([])
  })

  it('include global headers and a size limit unless they are switched off', () => {
    const fields = { global_headers: { 'X-A': 'b' }, global_headers_remove: ['X-B'], global_size_limit: 5 }
    expect(version(fields)).toMatchObject({ globalHeaders: { remove: ['X-B'], add: [['X-A', 'b']] }, sizeLimit: 5 })
    const off = version({ ...fields, global_headers_disabled: true, global_size_limit_disabled: true })
    expect(off).toMatchObject({ globalHeaders: { remove: [], add: [] }, sizeLimit: 0 })
  })
})

describe('other fields', () => {
  it('include expiry dates', () => {
    expect(normalised({ expiration: '2001-01-01 10:00' }).expiresAt).toBe(Date.UTC(2001, 0, 1, 10))
    expect(version({ expires: '-1' }).expiresAt).toBeUndefined()
    expect(version({ expires: 'soon' }).expiresAt).toBe(0)
  })

  it('include the domain in lower case, unless it is switched off', () => {
    expect(normalised({ domain: 'One.Test:8080' }).domain).toBe('one.test:8080')
    expect(normalised({ domain: 'one.test', domain_disabled: true }).domain).toBe('')
  })

  it('add a leading slash to the listen path', () => {
    expect(normalised({ proxy: { listen_path: 'orders/' } }).listenPath).toBe('/orders/')
  })
})
