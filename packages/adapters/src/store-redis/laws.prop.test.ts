/** The laws of counters and keys on the store of Redis: real time, so the windows are long or the requests together. */
import {
  type CrashSubject,
  crashLaw,
  engineKeys,
  expectLaw,
  keysLaw,
  makeMemoryLog,
  simultaneousLaw,
  stepName,
} from '@turnpike/testkit'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { makeRedisLink, makeRedisStore, type RedisClient } from './store-redis.ts'
import { describeWithRedis } from './testing/with-redis.ts'

/** `LAWS_LONG` makes them ten times as long. */
const times = process.env['LAWS_LONG'] === undefined ? 1 : 10

/** A client whose connection is gone after so many commands. What it was told until then was done. */
function cutAfter(commands: number, client: Redis): RedisClient {
  let used = 0
  const counted = new Set(['evalsha', 'eval', 'get', 'set', 'pttl', 'del', 'incrby', 'expire', 'pexpire', 'zadd'])
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!counted.has(String(name))) return value.bind(target)
      return (...args: unknown[]) => {
        // A script that the server does not know yet is no command that did anything.
        if (name !== 'evalsha') used += 1
        return used > commands ? Promise.reject(new Error('Connection is closed.')) : value.apply(target, args)
      }
    },
  })
}

describeWithRedis('laws on Redis', (hand) => {
  it('n simultaneous requests on a fresh counter admit exactly min(n, L)', { timeout: 60_000 }, async () => {
    let fresh = 0
    const limits = ['rolling', 'fixed'] as const
    for (const algorithm of limits) {
      const make = (most: number) => {
        const name = `law-12-${algorithm}-${++fresh}`
        // A day: a window that ended meanwhile would count twice.
        const limit = { algorithm, rate: most, per: 86_400, smoothing: undefined, oneLess: false }
        return () => hand.store.counters.take(name, limit, 1)
      }
      await expectLaw(simultaneousLaw, { name: algorithm, make }, { requests: 1_000 * times })
    }
    const make = (max: number) => {
      const name = `law-12-quota-${++fresh}`
      return () => hand.store.counters.spend(name, { max, renewalSeconds: 3600 }, 1)
    }
    await expectLaw(simultaneousLaw, { name: 'quota', make }, { requests: 1_000 * times })
  })

  it('a crash between any two commands leaves no counter without its expiry', { timeout: 60_000 }, async () => {
    const subject: CrashSubject = {
      name: 'the Redis store',
      slackMs: 15_000,
      async open(commands) {
        await hand.server.flush()
        const client = new Redis({ host: hand.server.host, port: hand.server.port, protocol: 2 })
        const log = makeMemoryLog()
        const link = makeRedisLink({ redis: cutAfter(commands, client), log, callMs: 10_000 })
        await link.ready(15_000)
        const store = makeRedisStore({ link, log })
        return {
          async act(step) {
            const { kind, windowSeconds } = step
            const name = stepName(step)
            if (kind === 'quota') await store.counters.spend(name, { max: 2, renewalSeconds: windowSeconds }, 1)
            else {
              const limit = { algorithm: kind, rate: 2, per: windowSeconds, smoothing: undefined, oneLess: false }
              await store.counters.take(name, limit, 1)
            }
          },
          async left() {
            const names = (await hand.redis.keys('*')).filter((name) => /rolling|sentinel|fixed|quota/.test(name))
            return Promise.all(
              names.map(async (name) => {
                const ms = await hand.redis.pttl(name)
                return { name, expiresInMs: ms < 0 ? undefined : ms }
              }),
            )
          },
          close: () => store.close(),
        }
      },
    }
    await expectLaw(crashLaw, subject, { requests: 100 * times })
  })

  it('keys behave as a map', { timeout: 120_000 }, async () => {
    let fresh = 0
    const keys = engineKeys('keys on Redis', {
      hashKeys: true,
      hashFunction: 'sha256',
      // Each case has names of its own; expiry is judged by the registry's clock.
      store(memory) {
        const prefix = `case-${++fresh}-`
        const { sessions } = hand.store
        return {
          ...memory,
          sessions: {
            get: (name) => sessions.get(prefix + name),
            put: (name, session) => sessions.put(prefix + name, session),
            remove: (name) => sessions.remove(prefix + name),
            list: async (start) => (await sessions.list(prefix + start)).map((name) => name.slice(prefix.length)),
          },
        }
      },
    })
    await expectLaw(keysLaw, keys, { requests: 500 * times })
    expect(fresh).toBeGreaterThan(10)
  })
})
