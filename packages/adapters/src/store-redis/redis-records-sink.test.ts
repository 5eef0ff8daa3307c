import { readFileSync } from 'node:fs'
import { encodeRecord } from '@turnpike/core/observability'
import type { AnalyticsRecord } from '@turnpike/core/ports'
import { expect, it } from 'vitest'
import { localUtcOffset } from '../records-jsonl/local-utc-offset.ts'
import { makeRedisRecordsSink } from './redis-records-sink.ts'
import { describeWithRedis } from './testing/with-redis.ts'

const layout = JSON.parse(readFileSync(new URL('../../../../fixtures/redis/layout.json', import.meta.url), 'utf8'))

describeWithRedis('analytics records in Redis', (fixture) => {
  it('are elements of the compatible list, which gets an expiry', async () => {
    const sink = makeRedisRecordsSink({ connection: fixture.connection, vendor: 'svc' })
    const records = [recordOf(1), recordOf(2), recordOf(3)]
    await sink.write(records)
    const key = layout.analytics.list_key as string
    const elements = await fixture.redis.lrangeBuffer(key, 0, -1)
    expect(elements.map((bytes) => bytes.toString('hex'))).toEqual(
      records.map((record) => Buffer.from(encodeRecord(record, localUtcOffset)).toString('hex')),
    )
    expect(await fixture.redis.ttl(key)).toBeGreaterThan(50)
    await fixture.redis.expire(key, 7)
    await sink.write([recordOf(4)])
    expect(await fixture.redis.ttl(key)).toBeLessThan(8)
  })

  it('can be distributed over ten lists, and can be stored without an expiry', async () => {
    const sink = makeRedisRecordsSink({
      connection: fixture.connection,
      vendor: 'acme',
      several: true,
      lifeSeconds: -1,
      random: () => 0.75,
    })
    await sink.write(Array.from({ length: 450 }, (_, i) => recordOf(i)))
    expect(await fixture.redis.llen('analytics-acme-system-analytics_7')).toBe(450)
    expect(await fixture.redis.ttl('analytics-acme-system-analytics_7')).toBe(-1)
  })
})

function recordOf(at: number): AnalyticsRecord {
  const noBytes = new Uint8Array(0)
  return {
    method: 'GET',
    host: 'upstream.test',
    path: '/x',
    rawPath: '/x',
    contentLength: 0,
    userAgent: '',
    responseCode: 200,
    apiKey: '',
    at,
    apiVersion: 'Non Versioned',
    apiName: 'a1',
    apiId: 'a1',
    orgId: 'org1',
    oauthId: '',
    totalMs: 1,
    upstreamMs: 1,
    rawRequest: noBytes,
    rawResponse: noBytes,
    ipAddress: '192.0.2.1',
    tags: ['org-org1'],
    alias: '',
    trackPath: false,
    expireAt: 0,
    mcp: undefined,
  }
}
