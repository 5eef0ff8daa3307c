/** Names and values as existing gateways have them (docs/reference/redis-layout.md#redis-layout); the exact ones are those of the fixture. */

import { readFileSync } from 'node:fs'
import { parseSession, type RateLimit, type Session } from '@turnpike/core'
import { consumeQuota, consumeRate, plainCounter, quotaCounter } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { cacheKey } from './redis-responses.ts'
import { parseResponse, printResponse } from './response-text.ts'
import { describeWithRedis } from './testing/with-redis.ts'

const layout = JSON.parse(readFileSync(new URL('../../../../fixtures/redis/layout.json', import.meta.url), 'utf8'))
const sessionOf = (json: object) => parseSession(json).session as Session
const rate = (algorithm: RateLimit['algorithm'], more: Partial<RateLimit> = {}): RateLimit => ({
  algorithm,
  rate: 2,
  per: 30,
  smoothing: undefined,
  oneLess: false,
  ...more,
})

describeWithRedis('data that several makers share', (hand) => {
  describe('sessions', () => {
    it.each(layout.sessions.vectors as { key: string; value: string }[])(
      'are read and written as $key',
      async (vector) => {
        const isOrg = vector.key.startsWith('orgkey.')
        const name = vector.key.replace(/^(apikey-|orgkey\.)/, '')
        const sessions = () => (isOrg ? hand.store.organisations : hand.store.sessions)
        await hand.redis.set(vector.key, vector.value)
        const read = await sessions().get(name)
        expect(read?.storedUntil).toBeUndefined()
        await hand.redis.del(vector.key)
        await sessions().put(name, (read as { session: Session }).session)
        expect(JSON.parse((await hand.redis.get(vector.key)) ?? '')).toEqual(JSON.parse(vector.value))
        expect(await hand.redis.pttl(vector.key)).toBe(-1)
      },
    )

    it('take any order and unknown, null and zero fields; a number as text makes them unreadable', async () => {
      await hand.redis.set('apikey-a', '{"tags":null,"per":1,"new_field":{"x":[1]},"rate":3,"alias":""}')
      expect((await hand.store.sessions.get('a'))?.session).toMatchObject({ rate: 3, per: 1 })
      for (const text of ['{"rate":"3"}', '[]', 'null', '"x"', '{', '']) {
        await hand.redis.set('apikey-b', text)
        expect(await hand.store.sessions.get('b')).toBeUndefined()
      }
      expect(hand.log.mentions('cannot be read')).toBe(true)
    })

    it('have the lifetime they are given', async () => {
      await hand.store.sessions.put('a', sessionOf({ rate: 1 }), 60_000)
      expect(await hand.redis.ttl('apikey-a')).toBeGreaterThan(55)
      const storedUntil = (await hand.store.sessions.get('a'))?.storedUntil ?? 0
      expect(storedUntil - Date.now()).toBeGreaterThan(50_000)
    })
  })

  describe('quotas', () => {
    it('go on where another node has begun, and end when it said', async () => {
      await hand.redis.set('quota-k', '2', 'EX', 50)
      const spent = await consumeQuota(hand.store.counters, 'k', { max: 3, renewalSeconds: 3600 }, 1)
      expect(spent).toMatchObject({ allowed: true, remaining: 0 })
      expect((spent.renewsAt ?? 0) - Date.now()).toBeLessThan(50_500)
      expect(await hand.redis.get('quota-k')).toBe('3')
    })

    it('begin anew where a counter has no end but the limit renews', async () => {
      await hand.redis.set('quota-k', '9')
      expect((await consumeQuota(hand.store.counters, 'k', { max: 3, renewalSeconds: 60 }, 1)).remaining).toBe(2)
      expect(await hand.redis.ttl('quota-k')).toBeGreaterThan(55)
    })

    it('wait for a node that is beginning the period, so that what is counted is not forgotten', async () => {
      await hand.redis.set('quota-k-lock', 'somebody', 'EX', 8)
      const spending = consumeQuota(hand.store.counters, 'k', { max: 9, renewalSeconds: 60 }, 1)
      await hand.redis.multi().set('quota-k', '0', 'EX', 60).incr('quota-k').del('quota-k-lock').exec()
      expect((await spending).remaining).toBe(7)
    })

    it('go on without a node that died with the lock', async () => {
      await hand.redis.set('quota-k-lock', 'somebody', 'EX', 8)
      expect((await consumeQuota(hand.store.counters, 'k', { max: 9, renewalSeconds: 60 }, 1)).remaining).toBe(8)
    })

    it('are told as a fault where another program has put something else', async () => {
      await hand.redis.set('quota-k', 'seven', 'EX', 60)
      await expect(consumeQuota(hand.store.counters, 'k', { max: 9, renewalSeconds: 60 }, 1)).rejects.toThrow()
      await hand.redis.lpush('quota-l', 'x')
      await hand.redis.expire('quota-l', 60)
      await expect(consumeQuota(hand.store.counters, 'l', { max: 9, renewalSeconds: 60 }, 1)).rejects.toThrow(
        'WRONGTYPE',
      )
      await expect(hand.store.counters.readQuota(plainCounter('l'))).rejects.toThrow('WRONGTYPE')
    })
  })

  describe('rates', () => {
    it('are logged with distinct nanoseconds as member and score, and counted with those of others', async () => {
      const other = `${BigInt(Date.now()) * 1_000_000n - 5_000_000_000n}`
      await hand.redis.zadd('rate-limit-k', other, other)
      const asked = await Promise.all(
        [1, 2, 3, 4].map(async () => consumeRate(hand.store.counters, 'k', rate('rolling'), 1)),
      )
      expect(asked.map(({ allowed }) => allowed)).toEqual([true, false, false, false])
      const entries = await hand.redis.zrange('rate-limit-k', '0', '-1', 'WITHSCORES')
      expect(entries).toHaveLength(10)
      for (let i = 0; i < entries.length; i += 2) {
        expect(entries[i]).toMatch(/^\d{19}$/)
        expect(Number(entries[i + 1])).toBe(Number(entries[i]))
      }
      expect(await hand.redis.ttl('rate-limit-k')).toBeGreaterThan(25)
    })

    it('a log of refused requests does not grow without end', async () => {
      for (let i = 0; i < 40; i++) {
        await Promise.all(Array.from({ length: 10 }, () => consumeRate(hand.store.counters, 'k', rate('rolling'), 1)))
      }
      expect(await hand.redis.zcard('rate-limit-k')).toBe(256)
    })

    it.each(layout.sliding_log.steps as { max: number; zset_before: string[]; blocked: boolean; reply: number[] }[])(
      'are decided like the recorded step %#',
      async ({ max, zset_before: before, blocked, reply }) => {
        // The same log, moved to now.
        const shift = BigInt(Date.now()) * 1_000_000n - 1795256253541013599n - 1_000_000n
        for (const at of before) {
          const moved = String(BigInt(at) + shift)
          await hand.redis.zadd('rate-limit-k', moved, moved)
        }
        const taken = await consumeRate(hand.store.counters, 'k', rate('rolling', { rate: max }), 1)
        expect([taken.allowed, taken.remaining]).toEqual([!blocked, reply[1]])
      },
    )

    it('of fixed windows stand under the start of the window, to its end', async () => {
      await consumeRate(hand.store.counters, 'k', rate('fixed'), 1)
      const [name = ''] = await hand.redis.keys('rate-limit-k/*')
      const start = BigInt(name.slice('rate-limit-k/'.length))
      expect(start % 30_000_000_000n).toBe(0n)
      const left = await hand.redis.pttl(name)
      expect(Math.abs(Number(start / 1_000_000n) + 30_000 - Date.now() - left)).toBeLessThan(1000)
    })

    it('the sentinel marks a closed key for a whole period, and heeds the mark of another node', async () => {
      await consumeRate(hand.store.counters, 'k', rate('sentinel'), 1)
      expect(await hand.redis.exists('rate-limit-k.BLOCKED')).toBe(0)
      await consumeRate(hand.store.counters, 'k', rate('sentinel'), 1)
      expect(await hand.redis.get('rate-limit-k.BLOCKED')).toBe('1')
      expect(await hand.redis.ttl('rate-limit-k.BLOCKED')).toBeGreaterThan(25)
      await hand.redis.set('rate-limit-l.BLOCKED', '1', 'EX', 20)
      expect((await consumeRate(hand.store.counters, 'l', rate('sentinel'), 1)).allowed).toBe(false)
    })

    it('the allowance of smoothing is a hash, and heeds the step of another node', async () => {
      const smoothing = { threshold: 2, trigger: 0.5, step: 1, delay: 30 }
      const limit = rate('rolling', { rate: 5, smoothing })
      await consumeRate(hand.store.counters, 'k', limit, 1)
      const held = await hand.redis.hgetall('rate-limit-k-allowance')
      expect(held).toEqual({ delay: '30', current: '2', nextUpdateAt: expect.stringMatching(/^\d{4}-.*T.*Z$/) })
      expect(await hand.redis.ttl('rate-limit-k-allowance')).toBeGreaterThan(50)
      await hand.redis.hset('rate-limit-k-allowance', 'current', '4', 'nextUpdateAt', '2999-11-21T10:19:18.151448126Z')
      const allowed = []
      for (let i = 0; i < 4; i++) allowed.push((await consumeRate(hand.store.counters, 'k', limit, 1)).allowed)
      expect(allowed).toEqual([true, true, true, false])
      await hand.redis.hset('rate-limit-k-allowance', 'nextUpdateAt', '2001-11-21T10:19:18.151448126Z')
      expect((await consumeRate(hand.store.counters, 'k', limit, 1)).allowanceMoved).toBe('up')
      expect(await hand.redis.hget('rate-limit-k-allowance', 'current')).toBe('5')
    })

    it('of the default algorithm are shared out between nodes, and counted in Redis where they are small', async () => {
      const store = await hand.another({ nodes: () => 2, threshold: 5 })
      const large = rate('local', { rate: 100, per: 1 })
      const taken = await Promise.all(
        Array.from({ length: 60 }, async () => consumeRate(store.counters, 'k', large, 1)),
      )
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(50)
      expect(await hand.redis.exists('rate-limit-k')).toBe(0)
      await consumeRate(store.counters, 'k', rate('local', { rate: 9, per: 1 }), 1)
      expect(await hand.redis.zcard('rate-limit-k')).toBe(1)
    })
  })

  describe('cached answers', () => {
    const { example, vectors } = layout.cache.keys
    it('have the recorded name', () => {
      const name = `${example.method}-${example.url}\n@${example.client}`
      expect(cacheKey(example.api_id, name)).toBe(example.key)
      for (const { md5_of: text, md5, body } of vectors as { md5_of: string; md5: string; body?: string }[]) {
        const own =
          body === undefined ? text.replace(/-(X-A-1)(X-B-)$/, '\n$1\n$2') : text.replace(/-([0-9a-f]{32})$/, '\n=$1')
        expect(cacheKey('c1', `${own}\n@x`)).toBe(`cache-c1c1x${md5}`)
      }
    })

    it.each(layout.cache.values.vectors as { value: string; response: string; expires: number }[])(
      'are read as written, and written so that they are read alike: %#',
      ({ value, response, expires }) => {
        const before = expires * 1000 - 1
        const read = parseResponse(value, before, false)
        expect(read?.status).toBe(Number(response.slice(9, 12)))
        expect(read?.headers.filter((_, i) => i % 2 === 0)).not.toContain('connection')
        const printed = printResponse(read as NonNullable<typeof read>, expires, false)
        expect(parseResponse(printed, before, false)).toEqual(read)
        expect(parseResponse(value, expires * 1000, false)).toBeUndefined()
      },
    )

    it.each([
      '',
      '|',
      'x',
      'x|y|z',
      'bm8=|99999999999',
      `${btoa('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')}|99999999999`,
    ])('that nobody can read are a miss, and taken away: %j', async (text) => {
      const key = cacheKey('c1', 'GET-/x\n@a')
      await hand.redis.set(key, text)
      expect(await hand.store.responses.get('c1', 'GET-/x\n@a')).toBeUndefined()
      expect(await hand.redis.exists(key)).toBe(0)
    })

    it('are emptied in a full Redis as well', async () => {
      const pipeline = hand.redis.pipeline()
      for (let i = 0; i < 3000; i++) pipeline.set(`cache-${i % 3 === 0 ? 'c1c1' : 'c2c2'}x${i}`, 'x')
      await pipeline.exec()
      await hand.store.responses.invalidate('c1')
      expect(await hand.redis.dbsize()).toBe(2000)
    })
  })

  it('lists are of the recorded kinds', async () => {
    const { records } = hand.store
    await records.addMember('oauth-data.o1.oauth-client-tokens.cl1', 'token', 1795259930)
    await records.addMember('oauth-data.o1.oauth-client-index.org1', 'oauth-clientid.cl1', 7)
    await records.addMember('cert-org1-index', 'raw-org1aa', 7)
    await records.addMember('cert-org1-index', 'raw-org1aa', 8)
    expect(await hand.redis.zscore('oauth-data.o1.oauth-client-tokens.cl1', 'token')).toBe('1795259930')
    expect(await hand.redis.lrange('oauth-data.o1.oauth-client-index.org1', 0, -1)).toEqual(['oauth-clientid.cl1'])
    expect(await hand.redis.lrange('cert-org1-index', 0, -1)).toEqual(['raw-org1aa'])
  })

  it('a plain list has a member once, where it was put last', async () => {
    const { records } = hand.store
    for (const member of ['a', 'b', 'a']) await records.addMember('oauth-data.o1.oauth-client-index.org1', member, 7)
    expect(await hand.redis.lrange('oauth-data.o1.oauth-client-index.org1', 0, -1)).toEqual(['b', 'a'])
  })

  it('OAuth clients stand in the set of their API as well, each once', async () => {
    const { records } = hand.store
    const set = () => hand.redis.smembers('oauth-data.o1.oauth-clientset.oauth-clientid.')
    await records.put('oauth-data.o1.oauth-clientid.c1', '{"id":"c1","secret":"a"}')
    await records.put('oauth-data.o1.oauth-clientid.c10', '{"id":"c10"}')
    await records.put('oauth-data.o1.oauth-clientid.c1', '{"id":"c1","secret":"b"}')
    expect((await set()).sort()).toEqual(['{"id":"c1","secret":"b"}', '{"id":"c10"}'])
    await records.remove('oauth-data.o1.oauth-clientid.c1')
    expect(await set()).toEqual(['{"id":"c10"}'])
  })

  it('what is left of a quota stands in the stored session, which keeps its other fields', async () => {
    await hand.redis.set(
      'apikey-k',
      '{"unknown":[1],"quota_max":9,"access_rights":{"a":{"allowance_scope":"p","limit":{"quota_max":5}}}}',
      'EX',
      60,
    )
    const { counters } = hand.store
    const quota = (max: number, scope: string) => ({ ...quotaCounter('k', { max, renewalSeconds: 3600 }), scope })
    const whole = await counters.consume(quota(9, ''), 5)
    const scoped = await counters.consume(quota(5, 'p'), 3)
    await counters.consume(quota(9, ''), 0)
    const renews = (results: typeof whole) => Math.floor((results.quota?.renewsAt ?? 0) / 1000)
    await expect
      .poll(async () => JSON.parse((await hand.redis.get('apikey-k')) ?? ''))
      .toEqual({
        unknown: [1],
        quota_max: 9,
        quota_remaining: 4,
        quota_renews: renews(whole),
        access_rights: {
          a: { allowance_scope: 'p', limit: { quota_max: 5, quota_remaining: 2, quota_renews: renews(scoped) } },
        },
      })
    expect(await hand.redis.ttl('apikey-k')).toBeGreaterThan(30)
  })

  it('a script that the server forgot is sent again', async () => {
    await consumeRate(hand.store.counters, 'k', rate('rolling'), 1)
    await hand.redis.script('FLUSH')
    expect((await consumeRate(hand.store.counters, 'k', rate('rolling'), 1)).allowed).toBe(true)
  })

  it('the probe and the version stand where others look for them', async () => {
    await hand.another({ vendor: 'svc', versionText: 'v5.13.0' })
    expect(await hand.store.check()).toEqual({ ok: true })
    expect(await hand.redis.get('svc-liveness-probe')).toBe('svc-liveness-probe')
    await expect.poll(() => hand.redis.get('version-check-gateway')).toBe('v5.13.0')
  })
})
