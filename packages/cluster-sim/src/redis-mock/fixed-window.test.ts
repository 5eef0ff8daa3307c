/** Fixed windows begin and end by the time of Redis, even if the clock of a node is wrong. */

import { makeRedisStore, openRedisConnection } from '@turnpike/adapters/store-redis'
import { type RateLimit, silentLog } from '@turnpike/core/ports'
import { consumeRate, makeVirtualClock } from '@turnpike/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { makeMockClient } from './mock-client.ts'
import { loadRedisMock, openRedisMock } from './redis-mock.ts'

const limit: RateLimit = { algorithm: 'fixed', rate: 2, per: 10, smoothing: undefined, oneLess: false }

async function openWindows() {
  const simulation = makeVirtualClock()
  const timers = { now: simulation.now, after: simulation.after }
  const mock = openRedisMock(simulation.now, await loadRedisMock())
  onTestFinished(() => mock.close())
  const scripts: string[] = []
  /** A node that cannot read the time of Redis and whose own clock is wrong by this much. */
  const node = async (byMs: number) => {
    const deaf = {
      ...mock,
      run(command: string, args: readonly unknown[]) {
        if (command === 'time') return Promise.reject(new Error('Connection is closed.'))
        if (command === 'evalsha') scripts.push(command)
        return mock.run(command, args)
      },
    }
    const connection = openRedisConnection({ redis: makeMockClient({ mock: deaf, timers }), log: silentLog, timers })
    await connection.ready(1000)
    const clock = { ...simulation, now: () => simulation.now() + byMs }
    const store = makeRedisStore({ connection, clock, log: silentLog })
    onTestFinished(() => store.close())
    return async () => (await consumeRate(store.counters, 'w', limit, 1)).allowed
  }
  return { simulation, mock, scripts, node }
}

it('nodes count in one window, though one is a day ahead and one a little behind', async () => {
  const { simulation, mock, node } = await openWindows()
  const [right, ahead, behind] = [await node(0), await node(86_400_000), await node(-30)]
  simulation.advance(10_010)
  expect([await right(), await ahead(), await behind(), await right()]).toEqual([true, true, false, false])
  const names = (await mock.run('keys', ['rate-limit-w/*'])) as string[]
  expect(names).toHaveLength(1)
  expect(await mock.run('pttl', [names[0]])).toBe(9_990)
})

it('a client that knows the time sends one command', async () => {
  const { scripts, node } = await openWindows()
  const right = await node(0)
  await right()
  expect(scripts).toHaveLength(1)
  const ahead = await node(86_400_000)
  await ahead()
  expect(scripts).toHaveLength(3)
})
