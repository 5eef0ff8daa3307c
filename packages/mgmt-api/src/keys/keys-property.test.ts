import { expectProperty, httpKeys, type KeysSubject, keysApi, keysProperty } from '@turnpike/testkit'
import { describe, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'

const kinds: readonly KeysSubject['settings'][] = [
  { hashKeys: false, hashFunction: '' },
  { hashKeys: false, hashFunction: 'murmur128' },
  { hashKeys: true, hashFunction: '' },
  { hashKeys: true, hashFunction: 'sha256' },
]

function overHttp(settings: KeysSubject['settings']): KeysSubject {
  return {
    name: JSON.stringify(settings),
    settings,
    async make() {
      const gateway = await makeTestGateway({
        apis: [keysApi],
        settings: { keys: settings },
        options: { hashedKeysListing: true },
      })
      return httpKeys(
        {
          call: (method, path, body) => gateway.call(method, `/svc${path}`, body),
          ask: (credential) => gateway.ask('/keys-api/x', credential),
          now: gateway.clock.now,
          wait: (ms) => gateway.clock.run(ms),
        },
        settings,
      )
    },
  }
}

describe('keys over the management API behave as a map (property 17)', () => {
  it.each(kinds.map((kind) => [JSON.stringify(kind), overHttp(kind)] as const))('%s', async (_, subject) => {
    await expectProperty(keysProperty, subject, { requests: process.env.CI === undefined ? 800 : 10_000 })
  })
})
