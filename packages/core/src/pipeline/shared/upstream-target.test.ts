import { describe, expect, it } from 'vitest'
import { fakeCompileContext } from '../../../test/support/pipeline/fake-compile-context.ts'
import { byHost, parseTarget, upstreamOptions } from './upstream-target.ts'

const general = {
  minVersion: 770,
  maxVersion: 0,
  ciphers: ['GENERAL'],
  certificates: { '*': 'general' },
  pinnedKeys: { 'a.test': 'one, two,' },
  checksCommonName: false,
}
const optionsOf = (api: object, tls: object = general, origin = 'https://a.test:8443') =>
  upstreamOptions(
    origin,
    'a.test:8443',
    fakeCompileContext(
      { ...api },
      {},
      {},
      { settings: { upstream: { timeoutMs: 1, insecure: false, closeConnections: false, tls } as never } },
    ),
  )

describe('a target URL', () => {
  it.each([
    ['ws://a.test:81/x?y', 'http://a.test:81'],
    ['WSS://a.test', 'https://a.test'],
    ['h2c://a.test', 'h2c://a.test'],
    ['ftp://a.test', undefined],
    ['wsx://a.test', undefined],
  ])('of a WebSocket is that of its first request: %s', (url, origin) => {
    expect(parseTarget(url)?.origin).toBe(origin)
  })
})

describe('options of an upstream', () => {
  it('are those of the gateway if the definition has none', () => {
    expect(optionsOf({})).toEqual({
      insecure: false,
      tls: { minVersion: 770, ciphers: ['GENERAL'], certificate: 'general', pinnedKeys: ['one', 'two'] },
    })
  })

  it('are those of the definition if it has some', () => {
    const transport = {
      ssl_insecure_skip_verify: true,
      ssl_min_version: 771,
      ssl_max_version: 772,
      ssl_ciphers: ['OWN'],
      ssl_force_common_name_check: true,
      proxy_url: 'http://proxy.test',
    }
    const api = {
      proxy: { listen_path: '/a/', target_url: 'https://a.test', transport },
      upstream_certificates: { 'a.test': 'own' },
      pinned_public_keys: { '*': 'three' },
    }
    expect(optionsOf(api)).toEqual({
      insecure: true,
      proxyUrl: 'http://proxy.test',
      tls: {
        minVersion: 771,
        maxVersion: 772,
        ciphers: ['OWN'],
        certificate: 'own',
        pinnedKeys: ['three'],
        checksCommonName: true,
      },
    })
  })

  it('ignore lists that the definition disables', () => {
    const off = { upstream_certificates_disabled: true, certificate_pinning_disabled: true }
    const api = { ...off, upstream_certificates: { '*': 'own' }, pinned_public_keys: { '*': 'x' } }
    expect(optionsOf(api, { ...general, certificates: {}, pinnedKeys: {} }).tls).toEqual({
      minVersion: 770,
      ciphers: ['GENERAL'],
    })
  })

  it('have no TLS options for HTTP', () => {
    expect(optionsOf({}, general, 'http://a.test:8443')).toEqual({ insecure: false })
  })
})

describe('an entry by host', () => {
  const entries = { '*': 'any', '*.b.test': 'below', 'a.b.test': 'name', 'a.b.test:1': 'port' }
  it.each([
    ['a.b.test:1', 'port'],
    ['A.B.test:2', 'name'],
    ['c.b.test', 'below'],
    ['b.test', 'any'],
    ['localhost', 'any'],
  ])('for %s is the one of %s', (host, value) => {
    expect(byHost(entries, host)).toBe(value)
  })

  it('can be missing', () => {
    expect(byHost(null, 'a')).toBeUndefined()
    expect(byHost({ b: 'x', a: '' }, 'a')).toBeUndefined()
  })
})
