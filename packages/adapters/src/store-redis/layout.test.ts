/** Names and values in Redis are compatible with the original gateway (docs/reference/redis-layout.md#redis-layout). */

import { readFileSync } from 'node:fs'
import type { RateLimit, Session } from '@turnpike/core/ports'
import { parseSession } from '@turnpike/core/session'
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

describeWithRedis('data shared with other gateways', (fixture) => {
  describe('sessions', () => {
    it.each(layout.sessions.vectors as { key: string; value: string }[])(
      'are read and written as $key',
      async (vector) => {
        const isOrg = vector.key.startsWith('orgkey.')
        const name = vector.key.replace(/^(apikey-|orgkey\.)/, '')
        const sessions = () => (isOrg ? fixture.store.organisations : fixture.store.sessions)
        await fixture.redis.set(vector.key, vector.value)
        const read = await sessions().get(name)
        expect(read?.storedUntil).toBeUndefined()
        await fixture.redis.del(vector.key)
        await sessions().put(name, (read as { session: Session }).session)
        expect(JSON.parse((await fixture.redis.get(vector.key)) ?? '')).toEqual(JSON.parse(vector.value))
        expect(await fixture.redis.pttl(vector.key)).toBe(-1)
      },
    )

    it('accept any order and unknown, null and zero fields; a number as text makes them invalid', async () => {
      await fixture.redis.set('apikey-a', '{"tags":null,"per":1,"new_field":{"x":[1]},"rate":3,"alias":""}')
      expect((await fixture.store.sessions.get('a'))?.session).toMatchObject({ rate: 3, per: 1 })
      for (const text of ['{"rate":"3"}', '[]', 'null', '"x"', '{', '']) {
        await fixture.redis.set('apikey-b', text)
        expect(await fixture.store.sessions.get('b')).toBeUndefined()
      }
      expect(fixture.log.mentions('cannot be read')).toBe(true)
    })

    it('have the given lifetime', async () => {
      await fixture.store.sessions.put('a', sessionOf({ rate: 1 }), 60_000)
      expect(await fixture.redis.ttl('apikey-a')).toBeGreaterThan(55)
      const storedUntil = (await fixture.store.sessions.get('a'))?.storedUntil ?? 0
      expect(storedUntil - Date.now()).toBeGreaterThan(50_000)
    })
  })

  describe('quotas', () => {
    it('continue a period that another node started', async () => {
      await fixture.redis.set('quota-k', '2', 'EX', 50)
      const spent = await consumeQuota(fixture.store.counters, 'k', { max: 3, renewalSeconds: 3600 }, 1)
      expect(spent).toMatchObject({ allowed: true, remaining: 0 })
      expect((spent.renewsAt ?? 0) - Date.now()).toBeLessThan(50_500)
      expect(await fixture.redis.get('quota-k')).toBe('3')
    })

    it('start again if a counter has no expiry but the limit renews', async () => {
      await fixture.redis.set('quota-k', '9')
      expect((await consumeQuota(fixture.store.counters, 'k', { max: 3, renewalSeconds: 60 }, 1)).remaining).toBe(2)
      expect(await fixture.redis.ttl('quota-k')).toBeGreaterThan(55)
    })

    it('wait for a node that is starting the period, so that no count is lost', async () => {
      await fixture.redis.set('quota-k-lock', 'somebody', 'EX', 8)
      const spending = consumeQuota(fixture.store.counters, 'k', { max: 9, renewalSeconds: 60 }, 1)
      await fixture.redis.multi().set('quota-k', '0', 'EX', 60).incr('quota-k').del('quota-k-lock').exec()
      expect((await spending).remaining).toBe(7)
    })

    it('continue if a node died with the lock', async () => {
      await fixture.redis.set('quota-k-lock', 'somebody', 'EX', 8)
      expect((await consumeQuota(fixture.store.counters, 'k', { max: 9, renewalSeconds: 60 }, 1)).remaining).toBe(8)
    })

    it('reject if another program stored something else', async () => {
      await fixture.redis.set('quota-k', 'seven', 'EX', 60)
      await expect(consumeQuota(fixture.store.counters, 'k', { max: 9, renewalSeconds: 60 }, 1)).rejects.toThrow()
      await fixture.redis.lpush('quota-l', 'x')
      await fixture.redis.expire('quota-l', 60)
      await expect(consumeQuota(fixture.store.counters, 'l', { max: 9, renewalSeconds: 60 }, 1)).rejects.toThrow(
        'WRONGTYPE',
      )
      await expect(fixture.store.counters.readQuota(plainCounter('l'))).rejects.toThrow('WRONGTYPE')
    })
  })

  describe('rates', () => {
    it('are logged with distinct nanoseconds as member and score, and count with those of other nodes', async () => {
      const other = `${BigInt(Date.now()) * 1_000_000n - 5_000_000_000n}`
      await fixture.redis.zadd('rate-limit-k', other, other)
      const results = await Promise.all(
        [1, 2, 3, 4].map(async () => consumeRate(fixture.store.counters, 'k', rate('rolling'), 1)),
      )
      expect(results.map(({ allowed }) => allowed)).toEqual([true, false, false, false])
      const entries = await fixture.redis.zrange('rate-limit-k', '0', '-1', 'WITHSCORES')
      expect(entries).toHaveLength(10)
      for (let i = 0; i < entries.length; i += 2) {
        expect(entries[i]).toMatch(/^\d{19}$/)
        expect(Number(entries[i + 1])).toBe(Number(entries[i]))
      }
      expect(await fixture.redis.ttl('rate-limit-k')).toBeGreaterThan(25)
    })

    it('a log of rejected requests is bounded', async () => {
      for (let i = 0; i < 40; i++) {
        await Promise.all(
          Array.from({ length: 10 }, () => consumeRate(fixture.store.counters, 'k', rate('rolling'), 1)),
        )
      }
      expect(await fixture.redis.zcard('rate-limit-k')).toBe(256)
    })

    it.each(layout.sliding_log.steps as { max: number; zset_before: string[]; blocked: boolean; reply: number[] }[])(
      'have the result of the recorded step %#',
      async ({ max, zset_before: before, blocked, reply }) => {
        // The same log, moved to now.
        const shift = BigInt(Date.now()) * 1_000_000n - 1795256253541013599n - 1_000_000n
        for (const at of before) {
          const moved = String(BigInt(at) + shift)
          await fixture.redis.zadd('rate-limit-k', moved, moved)
        }
        const taken = await consumeRate(fixture.store.counters, 'k', rate('rolling', { rate: max }), 1)
        expect([taken.allowed, taken.remaining]).toEqual([!blocked, reply[1]])
      },
    )

    it('of fixed windows have the start of the window in their name and expire at its end', async () => {
      await consumeRate(fixture.store.counters, 'k', rate('fixed'), 1)
      const [name = ''] = await fixture.redis.keys('rate-limit-k/*')
      const start = BigInt(name.slice('rate-limit-k/'.length))
      expect(start % 30_000_000_000n).toBe(0n)
      const left = await fixture.redis.pttl(name)
      expect(Math.abs(Number(start / 1_000_000n) + 30_000 - Date.now() - left)).toBeLessThan(1000)
    })

    it('the sentinel sets a blocked flag for a whole period, and respects the flag of another node', async () => {
      await consumeRate(fixture.store.counters, 'k', rate('sentinel'), 1)
      expect(await fixture.redis.exists('rate-limit-k.BLOCKED')).toBe(0)
      await consumeRate(fixture.store.counters, 'k', rate('sentinel'), 1)
      expect(await fixture.redis.get('rate-limit-k.BLOCKED')).toBe('1')
      expect(await fixture.redis.ttl('rate-limit-k.BLOCKED')).toBeGreaterThan(25)
      await fixture.redis.set('rate-limit-l.BLOCKED', '1', 'EX', 20)
      expect((await consumeRate(fixture.store.counters, 'l', rate('sentinel'), 1)).allowed).toBe(false)
    })

    it('the allowance of smoothing is a hash, and follows the step of another node', async () => {
      const smoothing = { threshold: 2, trigger: 0.5, step: 1, delay: 30 }
      const limit = rate('rolling', { rate: 5, smoothing })
      await consumeRate(fixture.store.counters, 'k', limit, 1)
      const held = await fixture.redis.hgetall('rate-limit-k-allowance')
      expect(held).toEqual({ delay: '30', current: '2', nextUpdateAt: expect.stringMatching(/^\d{4}-.*T.*Z$/) })
      expect(await fixture.redis.ttl('rate-limit-k-allowance')).toBeGreaterThan(50)
      await fixture.redis.hset(
        'rate-limit-k-allowance',
        'current',
        '4',
        'nextUpdateAt',
        '2999-11-21T10:19:18.151448126Z',
      )
      const allowed = []
      for (let i = 0; i < 4; i++) allowed.push((await consumeRate(fixture.store.counters, 'k', limit, 1)).allowed)
      expect(allowed).toEqual([true, true, true, false])
      await fixture.redis.hset('rate-limit-k-allowance', 'nextUpdateAt', '2001-11-21T10:19:18.151448126Z')
      expect((await consumeRate(fixture.store.counters, 'k', limit, 1)).allowanceMoved).toBe('up')
      expect(await fixture.redis.hget('rate-limit-k-allowance', 'current')).toBe('5')
    })

    it('of the default algorithm are divided between nodes, and small ones are counted in Redis', async () => {
      const store = await fixture.another({ nodes: () => 2, threshold: 5 })
      const large = rate('local', { rate: 100, per: 1 })
      const taken = await Promise.all(
        Array.from({ length: 60 }, async () => consumeRate(store.counters, 'k', large, 1)),
      )
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(50)
      expect(await fixture.redis.exists('rate-limit-k')).toBe(0)
      await consumeRate(store.counters, 'k', rate('local', { rate: 9, per: 1 }), 1)
      expect(await fixture.redis.zcard('rate-limit-k')).toBe(1)
    })
  })

  describe('cached responses', () => {
    const { example, vectors } = layout.cache.keys
    it('have the compatible name', () => {
      const name = `${example.method}-${example.url}\n@${example.client}`
      expect(cacheKey(example.api_id, name)).toBe(example.key)
      for (const { md5_of: text, md5, body } of vectors as { md5_of: string; md5: string; body?: string }[]) {
        const own =
          body === undefined ? text.replace(/-(X-A-1)(X-B-)$/, '\n$1\n$2') : text.replace(/-([0-9a-f]{32})$/, '\n=$1')
        expect(cacheKey('c1', `${own}\n@x`)).toBe(`cache-c1c1x${md5}`)
      }
    })

    it.each(layout.cache.values.vectors as { value: string; response: string; expires: number }[])(
      'are read and written in the compatible form: %#',
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
    ])('that are invalid are a miss and are removed: %j', async (text) => {
      const key = cacheKey('c1', 'GET-/x\n@a')
      await fixture.redis.set(key, text)
      expect(await fixture.store.responses.get('c1', 'GET-/x\n@a')).toBeUndefined()
      expect(await fixture.redis.exists(key)).toBe(0)
    })

    it('are invalidated in a full Redis too', async () => {
      const pipeline = fixture.redis.pipeline()
      for (let i = 0; i < 3000; i++) pipeline.set(`cache-${i % 3 === 0 ? 'c1c1' : 'c2c2'}x${i}`, 'x')
      await pipeline.exec()
      await fixture.store.responses.invalidate('c1')
      expect(await fixture.redis.dbsize()).toBe(2000)
    })
  })

  it('lists have the compatible types', async () => {
    const { records } = fixture.store
    await records.addMember('oauth-data.o1.oauth-client-tokens.cl1', 'token', 1795259930)
    await records.addMember('oauth-data.o1.oauth-client-index.org1', 'oauth-clientid.cl1', 7)
    await records.addMember('cert-org1-index', 'raw-org1aa', 7)
    await records.addMember('cert-org1-index', 'raw-org1aa', 8)
    expect(await fixture.redis.zscore('oauth-data.o1.oauth-client-tokens.cl1', 'token')).toBe('1795259930')
    expect(await fixture.redis.lrange('oauth-data.o1.oauth-client-index.org1', 0, -1)).toEqual(['oauth-clientid.cl1'])
    expect(await fixture.redis.lrange('cert-org1-index', 0, -1)).toEqual(['raw-org1aa'])
  })

  it('a plain list contains a member once, at its latest position', async () => {
    const { records } = fixture.store
    for (const member of ['a', 'b', 'a']) await records.addMember('oauth-data.o1.oauth-client-index.org1', member, 7)
    expect(await fixture.redis.lrange('oauth-data.o1.oauth-client-index.org1', 0, -1)).toEqual(['b', 'a'])
  })

  it('OAuth clients are also in the set of their API, each once', async () => {
    const { records } = fixture.store
    const set = () => fixture.redis.smembers('oauth-data.o1.oauth-clientset.oauth-clientid.')
    await records.put('oauth-data.o1.oauth-clientid.c1', '{"id":"c1","secret":"a"}')
    await records.put('oauth-data.o1.oauth-clientid.c10', '{"id":"c10"}')
    await records.put('oauth-data.o1.oauth-clientid.c1', '{"id":"c1","secret":"b"}')
    expect((await set()).sort()).toEqual(['{"id":"c1","secret":"b"}', '{"id":"c10"}'])
    await records.remove('oauth-data.o1.oauth-clientid.c1')
    expect(await set()).toEqual(['{"id":"c10"}'])
  })

  it('the remaining quota is written to the stored session, which keeps its other fields', async () => {
    await fixture.redis.set(
      'apikey-k',
      '{"unknown":[1],"quota_max":9,"access_rights":{"a":{"allowance_scope":"p","limit":{"quota_max":5}}}}',
      'EX',
      60,
    )
    const { counters } = fixture.store
    const quota = (max: number, scope: string) => ({ ...quotaCounter('k', { max, renewalSeconds: 3600 }), scope })
    const whole = await counters.consume(quota(9, ''), 5)
    const scoped = await counters.consume(quota(5, 'p'), 3)
    await counters.consume(quota(9, ''), 0)
    const renews = (results: typeof whole) => Math.floor((results.quota?.renewsAt ?? 0) / 1000)
    await expect
      .poll(async () => JSON.parse((await fixture.redis.get('apikey-k')) ?? ''))
      .toEqual({
        unknown: [1],
        quota_max: 9,
        quota_remaining: 4,
        quota_renews: renews(whole),
        access_rights: {
          a: { allowance_scope: 'p', limit: { quota_max: 5, quota_remaining: 2, quota_renews: renews(scoped) } },
        },
      })
    expect(await fixture.redis.ttl('apikey-k')).toBeGreaterThan(30)
  })

  it('a script that the server lost is sent again', async () => {
    await consumeRate(fixture.store.counters, 'k', rate('rolling'), 1)
    await fixture.redis.script('FLUSH')
    expect((await consumeRate(fixture.store.counters, 'k', rate('rolling'), 1)).allowed).toBe(true)
  })

  it('the probe and the version have the compatible names', async () => {
    await fixture.another({ vendor: 'svc', versionText: 'v5.13.0' })
    expect(await fixture.store.check()).toEqual({ ok: true })
    expect(await fixture.redis.get('svc-liveness-probe')).toBe('svc-liveness-probe')
    await expect.poll(() => fixture.redis.get('version-check-gateway')).toBe('v5.13.0')
  })
})
