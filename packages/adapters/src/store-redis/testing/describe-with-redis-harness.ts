/** Declares tests on a real Redis with virtual time. */
import type { StoreHarness } from '@turnpike/testkit'
import {
  startVirtualRedisServer,
  titleWithVirtualRedis,
  type VirtualRedisServer,
  withoutVirtualRedis,
} from '@turnpike/testkit/virtual-redis-server'
import { afterAll, beforeAll, describe } from 'vitest'
import { makeRedisHarness, type RedisHarnessOptions, type VirtualRedis } from './redis-harness.ts'

/** Declares tests with their own Redis server. They are skipped, with a note in the title, if there is no server binary. */
export function describeWithRedisHarness(
  title: string,
  tests: (harness: StoreHarness, fixture: VirtualRedis) => void,
  options: RedisHarnessOptions = {},
): void {
  describe.skipIf(withoutVirtualRedis)(titleWithVirtualRedis(title), () => {
    const fixture = {} as { server: VirtualRedisServer }
    const { close, ...harness } = makeRedisHarness(fixture, options)
    beforeAll(async () => {
      fixture.server = await startVirtualRedisServer()
    })
    afterAll(async () => {
      await close()
      await fixture.server.close()
    })
    tests(harness, fixture)
  })
}
