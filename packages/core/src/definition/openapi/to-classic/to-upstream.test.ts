import { describe, expect, it } from 'vitest'
import type { Json } from '../../../lib/json.ts'
import { withCurrentCache } from './service-discovery.ts'
import { toClassic } from './to-classic.ts'

/** The classic definition of a document with these members of `upstream`. */
function classicOf(upstream: object) {
  const read = toClassic({ paths: {} }, { info: { id: 'a' }, upstream: { url: 'http://up.test', ...upstream } })
  if (read.problem !== undefined) throw new Error(read.problem)
  return read.value
}

describe('service discovery of a document', () => {
  it('has all fields in the classic form', () => {
    const serviceDiscovery = {
      enabled: true,
      queryEndpoint: 'http://names.test',
      useNestedQuery: true,
      parentDataPath: 'p',
      dataPath: 'd',
      portDataPath: 'q',
      targetPath: '/t',
      useTargetList: true,
      endpointReturnsList: true,
      cache: { enabled: true, timeout: 3 },
    }
    expect(classicOf({ serviceDiscovery }).proxy.serviceDiscovery).toEqual({
      useDiscoveryService: true,
      queryEndpoint: 'http://names.test',
      useNestedQuery: true,
      parentDataPath: 'p',
      dataPath: 'd',
      portDataPath: 'q',
      targetPath: '/t',
      useTargetList: true,
      endpointReturnsList: true,
      cacheDisabled: false,
      cacheTimeout: 3,
    })
  })

  it.each([
    [undefined, true, 0],
    [{ enabled: true }, true, 0],
    [{ enabled: true, cacheTimeout: 0 }, true, 0],
    [{ enabled: true, cacheTimeout: 7 }, false, 7],
    [{ enabled: true, cache: { enabled: false, timeout: 5 }, cacheTimeout: 7 }, true, 5],
  ])('caches as %j says', (serviceDiscovery, cacheDisabled, cacheTimeout) => {
    expect(classicOf({ serviceDiscovery }).proxy.serviceDiscovery).toMatchObject({ cacheDisabled, cacheTimeout })
  })

  it.each<[Json, Json]>([
    [{ cacheTimeout: 7 }, { cache: { enabled: true, timeout: 7 } }],
    [{ cacheTimeout: 0 }, {}],
    [{ cacheTimeout: 7, cache: { enabled: false } }, { cache: { enabled: false } }],
    [{ enabled: true }, { enabled: true }],
  ])('%j is returned as %j', (stored, returned) => {
    expect(withCurrentCache(stored)).toEqual(returned)
  })

  it('balances only over targets of its own', () => {
    const balanced = (targets?: object[]) => classicOf({ loadBalancing: { enabled: true, targets } }).proxy
    expect(balanced().enableLoadBalancing).toBe(false)
    expect(balanced([{ url: 'http://a.test', weight: 1 }]).enableLoadBalancing).toBe(true)
  })
})

describe('authentication to the upstream of a document', () => {
  const grant = { clientId: 'c', clientSecret: 's', tokenUrl: 'https://issuer.test', scopes: ['r'] }
  const header = { enabled: true, name: 'X-Proof' }

  it('has both modes in the classic form', () => {
    const authentication = {
      enabled: true,
      basicAuth: { enabled: true, username: 'u', password: 'p', header },
      oauth: {
        enabled: false,
        allowedAuthorizeTypes: ['password'],
        clientCredentials: { ...grant, extraMetadata: ['m'] },
        password: { ...grant, header, username: 'v', password: 'w' },
      },
    }
    expect(classicOf({ authentication }).upstreamAuth).toMatchObject({
      enabled: true,
      basicAuth: { enabled: true, username: 'u', password: 'p', header },
      oauth: {
        enabled: false,
        allowedAuthorizeTypes: ['password'],
        clientCredentials: { ...grant, extraMetadata: ['m'] },
        password: { ...grant, header, username: 'v', password: 'w' },
      },
    })
  })

  it('signs only if both switches are on', () => {
    const signs = (outer: boolean, inner: boolean) =>
      classicOf({ authentication: { enabled: outer, requestSigning: { enabled: inner, keyId: 'k' } } }).requestSigning
    expect([signs(true, true), signs(false, true), signs(true, false)].map(({ isEnabled }) => isEnabled)).toEqual([
      true,
      false,
      false,
    ])
    expect(signs(false, true).keyId).toBe('k')
  })

  it('is missing in a document without it', () => {
    expect(classicOf({}).upstreamAuth).toBeNull()
  })
})
