/** The Redis store for the crash property: its connection breaks after a number of commands. */
import { type CrashSubject, countStep, makeMemoryLog, stepName } from '@turnpike/testkit'
import type { VirtualRedisServer } from '@turnpike/testkit/virtual-redis-server'
import { Redis } from 'ioredis'
import { makeRedisStore, openRedisConnection, type RedisClient } from '../store-redis.ts'

/** Counts one request with separate commands; for seeded bugs. */
export type CountByCommands = (client: RedisClient, name: string, windowSeconds: number) => Promise<unknown>

const counted = new Set(['sendCommand', 'eval', 'get', 'set', 'pttl', 'del', 'incrby', 'expire', 'pexpire', 'zadd'])

/** A client whose connection breaks after this number of commands. Earlier commands are executed. */
function cutAfter(commands: number, client: Redis): RedisClient {
  let used = 0
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!counted.has(String(name))) return value.bind(target)
      return (...args: unknown[]) => {
        // An EVALSHA that fails because the server does not have the script executes nothing.
        if (name !== 'sendCommand') used += 1
        return used > commands ? Promise.reject(new Error('Connection is closed.')) : value.apply(target, args)
      }
    },
  })
}

/** Time does not advance, so every expiry must equal its window. */
export function redisCrash(fixture: { readonly server: VirtualRedisServer }, count?: CountByCommands): CrashSubject {
  return {
    name: 'the Redis store',
    slackMs: 0,
    async open(commands) {
      const { server } = fixture
      await server.flush()
      const looker = new Redis({ host: server.host, port: server.port, protocol: 2 })
      const client = cutAfter(commands, new Redis({ host: server.host, port: server.port, protocol: 2 }))
      const log = makeMemoryLog()
      const connection = openRedisConnection({ redis: client, log, callMs: 10_000 })
      await connection.ready(15_000)
      const store = makeRedisStore({ connection, log })
      return {
        async count(step) {
          if (count !== undefined) await count(client, stepName(step), step.windowSeconds)
          else await countStep(store.counters, step)
        },
        async remainingCounters() {
          const names = (await looker.keys('*')).filter((name) => /rolling|sentinel|fixed|quota/.test(name))
          return Promise.all(
            names.map(async (name) => {
              const ms = await looker.pttl(name)
              return { name, expiresInMs: ms < 0 ? undefined : ms }
            }),
          )
        },
        async close() {
          await store.close()
          looker.disconnect()
        },
      }
    },
  }
}
