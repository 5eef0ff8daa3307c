/**
 * The Redis store adapter on a mocked Redis, for the crash property: disconnected between any two commands, on virtual time.
 */

import { type CrashSubject, countStep, makeVirtualClock } from '@turnpike/testkit'
import { makeMockClient } from './mock-client.ts'
import { type AroundRedis, openRedisStore } from './open-redis-store.ts'
import { openRedisMock, type RedisMock, type RedisMockClass } from './redis-mock.ts'

export function crashSubject(name: string, Mock: RedisMockClass, around: AroundRedis = {}): CrashSubject {
  return {
    name,
    slackMs: 1,
    async open(commands) {
      const clock = makeVirtualClock()
      const timers = { now: clock.now, after: clock.after }
      const mock = openRedisMock(clock.now, Mock)
      const client = makeMockClient({ mock: cutAfter(commands, mock), timers })
      const { store, ready } = openRedisStore({ client, timers, clock, callMs: 1000, around })
      await ready
      return {
        count: (step) => countStep(store.counters, step),
        async remainingCounters() {
          const names = (await mock.run('keys', ['*'])) as string[]
          return Promise.all(
            names.map(async (left) => {
              const ms = Number(await mock.run('pttl', [left]))
              return { name: left, expiresInMs: ms < 0 ? undefined : ms }
            }),
          )
        },
        async close() {
          await store.close()
          mock.close()
        },
      }
    },
  }
}

/** A Redis that disconnects after a number of commands. Earlier commands are executed. */
function cutAfter(commands: number, mock: RedisMock): RedisMock {
  // The first that ask how it is are no decision's; a script that is not known yet does nothing.
  const free = new Set(['ping', 'time', 'evalsha'])
  let used = 0
  return {
    ...mock,
    run(command, args) {
      if (!free.has(command)) used += 1
      return used > commands ? Promise.reject(new Error('Connection is closed.')) : mock.run(command, args)
    },
  }
}
