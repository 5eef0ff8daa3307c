/** Declares tests on a real Redis whose time is set. */
import type { StoreHarness } from '@turnpike/testkit'
import {
  startVirtualRedisServer,
  titleWithVirtualRedis,
  type VirtualRedisServer,
  withoutVirtualRedis,
} from '@turnpike/testkit/virtual-redis-server'
import { afterAll, beforeAll, describe } from 'vitest'
import { makeRedisLab, type RedisLabOptions, type VirtualRedis } from './redis-lab.ts'

/** Declares tests of a lab on a Redis of their own. Named as not run where there is none. */
export function describeWithRedisLab(
  title: string,
  tests: (lab: StoreHarness, hand: VirtualRedis) => void,
  options: RedisLabOptions = {},
): void {
  describe.skipIf(withoutVirtualRedis)(titleWithVirtualRedis(title), () => {
    const hand = {} as { server: VirtualRedisServer }
    const lab = makeRedisLab(hand, options)
    beforeAll(async () => {
      hand.server = await startVirtualRedisServer()
    })
    afterAll(async () => {
      await lab.close()
      await hand.server.close()
    })
    tests(lab, hand)
  })
}
