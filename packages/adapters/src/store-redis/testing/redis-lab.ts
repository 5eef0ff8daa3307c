/**
 * A real Redis for the laws, on virtual time: the clock of a test is that of the node and, before each command, that of
 * the server. Connections stay from store to store; each node has one of its own.
 */
import type { Millis } from '@turnpike/core'
import { makeMemoryLog, type StoreHarness, type VirtualClock, virtualEpoch } from '@turnpike/testkit'
import type { VirtualRedisServer } from '@turnpike/testkit/virtual-redis-server'
import { makeRedisSignals } from '../../signals-redis/signals-redis.ts'
import { makeRedisLink, makeRedisStore, type RedisLink } from '../store-redis.ts'
import { processTimers } from '../timers.ts'
import { redisCrash } from './redis-crash.ts'

/** Where it is; may come after the lab was made. */
export interface VirtualRedis {
  readonly server: VirtualRedisServer
}

export interface RedisLab extends StoreHarness {
  close(): Promise<void>
}

export interface RedisLabOptions {
  /** How far the clocks of all nodes but the first are wrong. Default 0. */
  readonly nodesAheadMs?: Millis
}

export function makeRedisLab(hand: VirtualRedis, { nodesAheadMs = 0 }: RedisLabOptions = {}): RedisLab {
  const log = makeMemoryLog()
  const links: RedisLink[] = []
  let underWay = 0
  let clock: VirtualClock | undefined

  const idle = async () => {
    while (underWay > 0) await new Promise(setImmediate)
  }
  const linkOf = async (node: number): Promise<RedisLink> => {
    const link = links[node] ?? makeRedisLink({ redis: { addresses: [hand.server] }, log, callMs: 10_000 })
    links[node] = link
    await link.ready(15_000)
    return link
  }
  /** The link for one store, which may close it: what the store asks of itself meets the right time and is waited for. */
  const timed = (link: RedisLink): RedisLink => {
    const during = async <T>(ask: () => Promise<T>): Promise<T> => {
      if (clock !== undefined) hand.server.moveTo(clock.now())
      underWay += 1
      try {
        return await ask()
      } finally {
        underWay -= 1
      }
    }
    return {
      ...link,
      timers: { ...processTimers, now: () => (clock?.now() ?? virtualEpoch) - virtualEpoch },
      call: (send) => during(() => link.call(send)),
      run: (...asked) => during(() => link.run(...asked)),
      scan: (pattern) => during(() => link.scan(pattern)),
      // It is.
      onReady: (fn) => fn(),
      async close() {},
    }
  }

  return {
    name: 'Redis',
    moveTo: (now) => hand.server.moveTo(now),
    idle,
    // A lifetime in ms ends when the last of them is over.
    forgetsLateMs: 1,
    hasNodes: true,
    // Keys end by the time of the server, and names of fixed windows hold it: who sets that back opens windows early.
    stepBackMs: { rolling: 0, sentinel: 0, fixed: 0 },
    crash: redisCrash(hand),
    async open(world) {
      clock = world
      const first = await linkOf(0)
      await first.call((redis) => redis.flushall())
      const closing: (() => Promise<void> | void)[] = []
      const open = async (node: number, nodes: number) => {
        const own = node === 0 ? world : { ...world, now: () => world.now() + nodesAheadMs }
        const store = makeRedisStore({ link: timed(await linkOf(node)), clock: own, log, nodes: () => nodes })
        closing.push(() => store.close())
        // The time of Redis is being learned.
        await idle()
        return store
      }
      let nodesOpen = 1
      return {
        store: await open(0, 1),
        another: (nodes) => open(nodesOpen++, nodes),
        async signals() {
          const signals = makeRedisSignals({ link: timed(first), redis: { addresses: [hand.server] }, log })
          closing.push(() => signals.close())
          while (!signals.isListening()) await new Promise((resolve) => setTimeout(resolve, 1))
          return signals
        },
        async close() {
          for (const close of closing) await close()
        },
      }
    },
    async close() {
      for (const link of links) await link.close()
    },
  }
}
