import { describe, expect, it } from 'vitest'
import { makeSecretLookup } from './secret-lookup.ts'

const environment = { APP_KEY: 'a', PATH: '/bin', SVC_SECRET_DB: 'd' }

describe('the secrets of definitions', () => {
  it('are any environment variable and any entry of the map', () => {
    const lookup = makeSecretLookup(environment, { secrets: { buoy: 'red' }, vendor: 'svc' })
    expect([lookup('env', 'PATH'), lookup('secrets', 'buoy'), lookup('secrets', 'Buoy')]).toEqual([
      '/bin',
      'red',
      undefined,
    ])
    expect([lookup('env', 'toString'), lookup('secrets', 'toString')]).toEqual([undefined, undefined])
  })

  it('are only variables with the prefix if one is set, and those of $secret_env', () => {
    const lookup = makeSecretLookup(environment, { secrets: { env_prefix: 'APP_', buoy: 'red' }, vendor: 'svc' })
    expect([lookup('env', 'APP_KEY'), lookup('env', 'PATH'), lookup('env', 'SVC_SECRET_DB')]).toEqual([
      'a',
      undefined,
      'd',
    ])
    expect([lookup('secrets', 'buoy'), lookup('secrets', 'env_prefix')]).toEqual(['red', undefined])
  })

  it('are secret variables in capitals, with the vendor word', () => {
    const lookup = makeSecretLookup(environment, { secrets: { env_prefix: 'APP_' }, vendor: 'svc' })
    expect([lookup('secret_env', 'db'), lookup('secret_env', 'KEY')]).toEqual(['d', undefined])
  })

  it('echo is the URL of the built-in echo upstream, if it is enabled', () => {
    const lookup = (enabled: boolean) =>
      makeSecretLookup({}, { secrets: null, vendor: 'svc', echo: { enabled, listenPort: 7000 } })('echo', '')
    expect([lookup(true), lookup(false)]).toEqual(['http://127.0.0.1:7000', undefined])
  })
})
