import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnalyticsRecord } from '@turnpike/core/ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeJsonLinesSink } from './records-jsonl.ts'

const noBytes = new Uint8Array(0)
const record = (change: Partial<AnalyticsRecord> = {}): AnalyticsRecord => ({
  method: 'GET',
  host: 'upstream.test',
  path: '/x',
  rawPath: '/x',
  contentLength: 0,
  userAgent: '',
  responseCode: 200,
  apiKey: '',
  at: Date.UTC(2026, 0, 1),
  apiVersion: 'Non Versioned',
  apiName: 'a',
  apiId: 'a',
  orgId: 'org1',
  oauthId: '',
  totalMs: 3,
  upstreamMs: 2,
  rawRequest: noBytes,
  rawResponse: noBytes,
  ipAddress: '192.0.2.1',
  tags: ['api-a'],
  alias: '',
  trackPath: false,
  expireAt: Date.UTC(2126, 0, 1),
  mcp: undefined,
  ...change,
})

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'records-'))
  path = join(folder, 'deep', 'records.jsonl')
})
const linesOf = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('records as JSON lines', () => {
  it('are one object per line, with the names of original gateways and times as texts', async () => {
    const sink = makeJsonLinesSink({ path })
    await sink.write([record({ rawRequest: Buffer.from('GET') }), record({ path: '/line\nbreak' })])
    await sink.close()
    expect(await linesOf(path)).toMatchObject([
      {
        Method: 'GET',
        APIID: 'a',
        TimeStamp: '2026-01-01T00:00:00.000Z',
        ExpireAt: '2126-01-01T00:00:00.000Z',
        RawRequest: 'R0VU',
        Latency: { Total: 3, Upstream: 2, Gateway: 1 },
        Tags: ['api-a'],
      },
      { Path: '/line\nbreak' },
    ])
  })

  it('are readable by the owner only', async () => {
    const sink = makeJsonLinesSink({ path })
    await sink.write([record()])
    await sink.close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('are appended to an existing file', async () => {
    for (let i = 0; i < 2; i++) {
      const sink = makeJsonLinesSink({ path })
      await sink.write([record()])
      await sink.close()
    }
    expect(await linesOf(path)).toHaveLength(2)
  })

  it('are rotated by size, with a maximum number of files', async () => {
    const sink = makeJsonLinesSink({ path, maxBytes: 100, maxFiles: 3 })
    for (let i = 1; i <= 5; i++) await sink.write([record({ path: `/${i}` })])
    await sink.close()
    expect((await readdir(join(folder, 'deep'))).sort()).toEqual([
      'records.jsonl',
      'records.jsonl.1',
      'records.jsonl.2',
    ])
    const paths = await Promise.all([path, `${path}.1`, `${path}.2`].map(linesOf))
    expect(paths.map(([line]) => line?.['Path'])).toEqual(['/5', '/4', '/3'])
  })

  it('replace the file if only one is kept', async () => {
    const sink = makeJsonLinesSink({ path, maxBytes: 100, maxFiles: 1 })
    for (let i = 1; i <= 3; i++) await sink.write([record({ path: `/${i}` })])
    await sink.close()
    expect((await linesOf(path)).map((line) => line['Path'])).toEqual(['/3'])
  })

  it('reject if the file cannot be created', async () => {
    await writeFile(join(folder, 'deep'), '')
    const sink = makeJsonLinesSink({ path })
    await expect(sink.write([record()])).rejects.toThrow()
    await sink.close()
  })
})
