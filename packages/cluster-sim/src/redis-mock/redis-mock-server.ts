/**
 * The store of a simulated cluster as production has it: on each node the adapter of Redis with its connection, deadlines and
 * probes, all on the node's virtual time; between them the simulated network, which each command and each reply crosses
 * by itself; at the other end ioredis-mock, which runs the adapter's Lua scripts at the instant a command arrives.
 */

import type { Clock } from '@turnpike/core/ports'
import type { StoreServer } from '../cluster/store-server.ts'
import { makeMockClient } from './mock-client.ts'
import { type AroundRedis, openRedisStore } from './open-redis-store.ts'
import { openRedisMock, type RedisMockClass } from './redis-mock.ts'

/** For `RunOptions.makeServer`. `around`: on each node; default nothing. */
export function redisMockServer(Mock: RedisMockClass, around: AroundRedis = {}) {
  return async ({ clock }: { readonly clock: Clock }): Promise<StoreServer> => {
    const mock = openRedisMock(clock.now, Mock)
    const timers = { now: clock.now, after: clock.after }
    const beside = openRedisStore({ client: makeMockClient({ mock, timers }), timers, clock, callMs: 1000 })
    await beside.ready
    return {
      beside: beside.store,
      connect(connection) {
        const { clock, deadlineMs: callMs, reach } = connection
        // What falls due at this instant comes after all that is going on at it: the end of a turn.
        const timers = { ...connection.timers, atTurnEnd: (fn: () => void) => void connection.timers.after(0, fn) }
        const client = makeMockClient({ mock, reach, timers })
        return openRedisStore({ client, timers, clock, callMs, around }).store
      },
      async close() {
        await beside.store.close()
        mock.close()
      },
    }
  }
}
