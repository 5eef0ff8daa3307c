import type { RequestRecord } from '@turnpike/core/pipeline'
import { describe, expect, it } from 'vitest'
import { makePromMetrics } from './metrics-prom.ts'

const entry = (change: Partial<RequestRecord> = {}): RequestRecord => ({
  apiId: 'a',
  apiName: 'a',
  orgId: '',
  method: 'GET',
  path: '/x',
  host: '',
  clientAddress: '',
  userAgent: '',
  status: 200,
  keyLogName: '',
  version: '',
  startedAt: 0,
  totalMs: 12,
  upstreamMs: 9,
  upstreamAddress: 'up.test',
  rejection: undefined,
  ...change,
})
const rejected = (stage: string, code: string, status: number) =>
  entry({ status, upstreamAddress: '', rejection: { stage, code, message: '' } })

async function linesAfter(...entries: RequestRecord[]) {
  const metrics = makePromMetrics({ processMetrics: false })
  for (const one of entries) metrics.record(one)
  return (await metrics.render()).text.split('\n')
}

describe('metrics', () => {
  it('count requests by API, status class and rejecting stage', async () => {
    const lines = await linesAfter(entry(), entry({ status: 204 }), rejected('quota', 'quota-exceeded', 403))
    expect(lines).toContain('turnpike_requests_total{api="a",status="2xx",refused_by=""} 2')
    expect(lines).toContain('turnpike_requests_total{api="a",status="4xx",refused_by="quota"} 1')
    expect(lines).toContain('turnpike_limit_refusals_total{api="a",limit="key-quota"} 1')
  })

  it('measure requests, and upstream calls of requests that have one', async () => {
    const lines = await linesAfter(entry(), rejected('auth-token', 'key-unknown', 403))
    expect(lines).toContain('turnpike_request_duration_seconds_count{api="a"} 2')
    expect(lines).toContain('turnpike_upstream_duration_seconds_count{api="a"} 1')
    expect(lines).toContain('turnpike_request_duration_seconds_bucket{le="0.025",api="a"} 2')
  })

  it('count cache hits and misses', async () => {
    const lines = await linesAfter(entry({ cache: 'hit' }), entry({ cache: 'miss' }), entry({ cache: 'hit' }), entry())
    expect(lines).toContain('turnpike_cache_total{api="a",result="hit"} 2')
    expect(lines).toContain('turnpike_cache_total{api="a",result="miss"} 1')
  })

  it('limit the number of series for many APIs', async () => {
    const metrics = makePromMetrics({ processMetrics: false, maxApis: 10 })
    for (let i = 0; i < 1000; i++) metrics.record(entry({ apiId: `a${i}` }))
    metrics.record(entry({ apiId: '' }))
    const lines = (await metrics.render()).text
      .split('\n')
      .filter((line) => line.startsWith('turnpike_requests_total{'))
    expect(lines).toHaveLength(12)
    expect(lines).toContain('turnpike_requests_total{api="(other)",status="2xx",refused_by=""} 990')
    expect(lines).toContain('turnpike_requests_total{api="(none)",status="2xx",refused_by=""} 1')
  })

  it('include reloads, breakers, events and records', async () => {
    const metrics = makePromMetrics({ processMetrics: false })
    const report = {
      startedAt: 0,
      durationMs: 30,
      loaded: 3,
      changed: [],
      removed: [],
      failed: [{ source: 'x.json', reason: 'broken', keptOld: false }],
      renamed: [],
      unsupported: [],
      policies: { count: 0, changed: false },
    }
    metrics.reloaded(report)
    metrics.reloaded({ ...report, failed: [] })
    metrics.reloaded({ ...report, dropped: 'no policies' })
    const rule = {
      apiId: 'a',
      version: '',
      path: '/x',
      method: 'GET',
      threshold: 0.5,
      samples: 5,
      closesAfterMs: 1000,
      halfOpens: true,
    }
    metrics.breakerChanged({ rule, kind: 'tripped' })
    metrics.setSources({
      breakers: () => [{ ...rule, state: 'open', failures: 5, successes: 0, closesAt: 0 }],
      events: () => ({ fired: 4, sent: 3, failed: 1, repeated: 0, dropped: 0 }),
      analytics: () => ({ written: 10, dropped: 2 }),
    })
    const lines = (await metrics.render()).text.split('\n')
    for (const line of [
      'turnpike_reloads_total{result="problems"} 1',
      'turnpike_reloads_total{result="ok"} 1',
      'turnpike_reloads_total{result="dropped"} 1',
      'turnpike_definitions{state="loaded"} 3',
      'turnpike_breaker_changes_total{api="a",change="tripped"} 1',
      'turnpike_breakers_open 1',
      'turnpike_events_total{result="sent"} 3',
      'turnpike_analytics_records_total{result="dropped"} 2',
    ]) {
      expect(lines).toContain(line)
    }
  })

  it('have the last exported trace of each bucket as exemplar in OpenMetrics', async () => {
    const metrics = makePromMetrics({ processMetrics: false })
    metrics.record(entry({ totalMs: 12, traceId: 'a'.repeat(32) }))
    metrics.record(entry({ totalMs: 12, upstreamMs: 9, traceId: 'b'.repeat(32) }))
    metrics.record(entry({ totalMs: 200_000 }))
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
    const { contentType, text } = await metrics.render(accept)
    expect(contentType).toContain('application/openmetrics-text')
    const lines = text.split('\n')
    expect(lines.filter((line) => line.includes(' # {')).map((line) => line.replace(/ [\d.]+$/, ''))).toEqual([
      `turnpike_request_duration_seconds_bucket{le="0.025",api="a"} 2 # {trace_id="${'b'.repeat(32)}"} 0.012`,
      `turnpike_upstream_duration_seconds_bucket{le="0.01",api="a"} 3 # {trace_id="${'b'.repeat(32)}"} 0.009`,
    ])
    expect(lines).toContain('# TYPE turnpike_requests counter')
    expect(lines).toContain('turnpike_requests_total{api="a",status="2xx",refused_by=""} 3')
    expect(lines.slice(-2)).toEqual(['# EOF', ''])
  })

  it('have no exemplars in the text format, also after a scrape of OpenMetrics', async () => {
    const metrics = makePromMetrics()
    metrics.record(entry({ traceId: 'a'.repeat(32) }))
    await metrics.render('application/openmetrics-text')
    for (const accept of [undefined, '*/*', 'application/openmetrics-text;q=0, text/plain']) {
      const { contentType, text } = await metrics.render(accept)
      expect(contentType).toContain('text/plain')
      expect(text).toContain('turnpike_requests_total{api="a",status="2xx",refused_by=""} 1')
      expect(text).not.toContain('trace_id')
    }
  })

  it('include the process', async () => {
    const { text } = await makePromMetrics().render()
    expect(text).toContain('process_cpu_seconds_total')
  })
})
