import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFakeUpstream, makeMemoryLog, makeVirtualClock } from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { defineApi } from './define-api.ts'
import type { ConfigDocument } from './document-types.ts'

const api = defineApi({ id: 'a', target: 'http://upstream.test/', open: true })

async function setUp(config: ConfigDocument) {
  const clock = makeVirtualClock()
  const log = makeMemoryLog()
  const upstream = makeFakeUpstream(clock)
  const gateway = await createGateway({ config, clock, log, upstream, definitions: [api] })
  return { gateway, clock, log }
}

describe('analytics of a gateway', () => {
  it('are off unless asked for', async () => {
    const { gateway } = await setUp({})
    await gateway.inject('/a/x')
    expect(await gateway.records()).toEqual([])
    await gateway.close(0)
  })

  it('keep the last records in memory', async () => {
    const { gateway } = await setUp({ enable_analytics: true, records: { memory: 2 } })
    for (const path of ['/a/1', '/a/2', '/a/3']) await gateway.inject(path)
    expect((await gateway.records()).map(({ rawPath }) => rawPath)).toEqual(['/2', '/3'])
    await gateway.close(0)
  })

  it('follow analytics_config', async () => {
    const { gateway, log } = await setUp({
      enable_analytics: true,
      tag_headers: ['X-Team'],
      analytics_config: {
        enable_detailed_recording: true,
        ignored_ips: ['192.0.2.9', 'not-an-address'],
        normalise_urls: { enabled: true, normalise_numbers: true, custom_patterns: ['('] },
      },
    })
    await gateway.inject({ url: '/a/x/7', headers: { 'X-Team': 'blue' } })
    await gateway.inject({ url: '/a/x/8', remoteAddress: '192.0.2.9' })
    const records = await gateway.records()
    expect(records).toMatchObject([{ path: '/x/{id}', rawPath: '/x/7', tags: ['x-team-blue', 'api-a'] }])
    expect(records[0]?.rawRequest.length).toBeGreaterThan(0)
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(2)
    await gateway.close(0)
  })

  it('are in their file when the gateway is closed', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'records-')), 'records.jsonl')
    const { gateway } = await setUp({ enable_analytics: true, records: { file: { path } } })
    await gateway.inject('/a/x')
    await gateway.close(0)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ APIID: 'a', RawPath: '/x', ResponseCode: 200 })
  })
})
