/**
 * A real Redis with virtual time for property tests. The node uses the clock of the test, and the server is set to it
 * before each command. Stores reuse connections; each node has its own.
 */
import type { Millis } from '@turnpike/core/lib'
import { makeMemoryLog, type StoreHarness, type VirtualClock, virtualEpoch } from '@turnpike/testkit'
import type { VirtualRedisServer } from '@turnpike/testkit/virtual-redis-server'
import { makeRedisSignals } from '../../signals-redis/signals-redis.ts'
import { makeRedisStore, openRedisConnection, type RedisConnection } from '../store-redis.ts'
import { processTimers } from '../timers.ts'
import { redisCrash } from './redis-crash.ts'

/** The server; it can be set after the harness was made. */
export interface VirtualRedis {
  readonly server: VirtualRedisServer
}

export interface RedisHarness extends StoreHarness {
  close(): Promise<void>
}

export interface RedisHarnessOptions {
  /** Error of the clocks of all nodes but the first, in ms. Default: 0. */
  readonly nodesAheadMs?: Millis
}

export function makeRedisHarness(fixture: VirtualRedis, { nodesAheadMs = 0 }: RedisHarnessOptions = {}): RedisHarness {
  const log = makeMemoryLog()
  const connections: RedisConnection[] = []
  const time = new ServerTime(fixture)

  const connectionOf = async (node: number): Promise<RedisConnection> => {
    const connection =
      connections[node] ?? openRedisConnection({ redis: { addresses: [fixture.server] }, log, callMs: 10_000 })
    connections[node] = connection
    await connection.ready(15_000)
    return connection
  }

  return {
    name: 'Redis',
    moveTo: (now) => fixture.server.moveTo(now),
    idle: () => time.idle(),
    // Redis removes a key after the last millisecond of its lifetime.
    forgetsLateMs: 1,
    hasNodes: true,
    // Expiry and names of fixed windows use the time of the server, so setting it back opens windows early.
    stepBackMs: { rolling: 0, sentinel: 0, fixed: 0 },
    crash: redisCrash(fixture),
    async open(nodeClock) {
      time.clock = nodeClock
      const first = await connectionOf(0)
      await first.call((redis) => redis.flushall())
      const closing: (() => Promise<void> | void)[] = []
      const open = async (node: number, nodes: number) => {
        const own = node === 0 ? nodeClock : { ...nodeClock, now: () => nodeClock.now() + nodesAheadMs }
        const store = makeRedisStore({
          connection: time.wrap(await connectionOf(node)),
          clock: own,
          log,
          nodes: () => nodes,
        })
        closing.push(() => store.close())
        // Wait for the time synchronisation.
        await time.idle()
        return store
      }
      let nodesOpen = 1
      return {
        store: await open(0, 1),
        another: (nodes) => open(nodesOpen++, nodes),
        async signals() {
          const signals = makeRedisSignals({
            connection: time.wrap(first),
            redis: { addresses: [fixture.server] },
            log,
          })
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
      for (const connection of connections) await connection.close()
    },
  }
}

/** Sets the time of the server before each call of a store, and counts running calls. */
class ServerTime {
  clock: VirtualClock | undefined = undefined
  private readonly fixture: VirtualRedis
  private running = 0

  constructor(fixture: VirtualRedis) {
    this.fixture = fixture
  }

  /** Resolves when no call is running. */
  async idle(): Promise<void> {
    while (this.running > 0) await new Promise(setImmediate)
  }

  /** Returns the connection for one store. It ignores `close`. */
  wrap(connection: RedisConnection): RedisConnection {
    return {
      ...connection,
      timers: { ...processTimers, now: () => (this.clock?.now() ?? virtualEpoch) - virtualEpoch },
      call: (...args) => this.during(() => connection.call(...args)),
      run: (...args) => this.during(() => connection.run(...args)),
      scan: (pattern) => this.during(() => connection.scan(pattern)),
      // Redis is available.
      onReady: (fn) => fn(),
      async close() {},
    }
  }

  private async during<T>(run: () => Promise<T>): Promise<T> {
    if (this.clock !== undefined) this.fixture.server.moveTo(this.clock.now())
    this.running += 1
    try {
      return await run()
    } finally {
      this.running -= 1
    }
  }
}
