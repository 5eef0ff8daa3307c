import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from 'turnpike/embedding'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineFacts } from '../measurement/machine-facts.ts'
import { makeBenchGateway } from './bench-gateway.ts'
import { benchLines } from './bench-lines.ts'
import { benchHtml } from './bench-page.ts'
import type { BenchReport } from './bench-report.ts'
import { compareReports } from './compare-reports.ts'
import { type BenchOptions, runBench } from './run-bench.ts'
import { makeManualStopwatch } from './testing/manual-stopwatch.ts'

const company = fileURLToPath(new URL('../../../../fixtures/company', import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-test-'))
  cpSync(company, folder, { recursive: true })
  const file = join(folder, 'apps', 'status.json')
  const status = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...status, enable_batch_request_support: true }))
  writeFileSync(join(folder, 'apps', 'broken.json'), '{ "api_id": ')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `slowMicros` is added to each upstream call, which belongs to the stage `forward`. */
async function bench(slowMicros: number, more: Partial<BenchOptions> = {}): Promise<BenchReport> {
  const stopwatch = makeManualStopwatch()
  const loaded = loadConfig({ file: join(folder, 'gateway.json'), environment: {}, cwd: folder })
  const gateway = await makeBenchGateway(loaded, {}, () => stopwatch.push(slowMicros))
  const machine = machineFacts()
  const effort = {
    rounds: 3,
    perRound: 40,
    timeMs: 0,
    upstreamMs: [0],
    batchSizes: [1, 10, 50],
    batchConcurrency: 64,
    probes: 4,
  }
  try {
    const options = { ...effort, apis: [], requests: [], vendor: 'svc', machine, ...more }
    return await runBench({ ...gateway, stopwatch }, options, () => undefined)
  } finally {
    await gateway.close()
  }
}

describe('turnpike bench on the sample company', { timeout: 120_000 }, () => {
  let calm: BenchReport
  let planted: BenchReport
  beforeAll(async () => {
    calm = await bench(0)
    planted = await bench(700)
  }, 120_000)

  it('measures every version of every API that can be reached, by a request that passes its chain', () => {
    expect(calm.ways.map(({ name, status }) => [name, status])).toEqual([
      ['Back office', 200],
      ['Catalogue', 200],
      ['Members', 200],
      ['Orders v1', 200],
      ['Orders v2', 200],
      ['Partner', 200],
      ['Status', 200],
    ])
  })

  it('reports what each stage of a chain costs, in the order in which a request meets them', () => {
    const partner = planted.ways.find(({ name }) => name === 'Partner')
    const stages = partner?.stages.map(({ stage }) => stage) ?? []
    const known = ['ip-filter', 'auth-token', 'key-access', 'key-limits', 'forward']
    expect(stages.filter((stage) => known.includes(stage))).toEqual(known)
  })

  it('names a slow stage first', () => {
    for (const { stages } of planted.ways) {
      const dearest = stages.toSorted((a, b) => b.cost.median - a.cost.median)[0]
      expect([dearest?.stage, dearest?.cost.median]).toEqual(['forward', 700])
    }
    const [, line = ''] = benchLines(planted).filter((text) => text.startsWith('    '))
    expect(benchLines(planted).find((text) => text.startsWith('    '))).toMatch(/forward +700 µs/)
    expect(line).not.toMatch(/forward/)
  })

  it('measures requests although a limit would reject the sixth of them', () => {
    expect(calm.ways.find(({ name }) => name === 'Catalogue')?.status).toBe(200)
  })

  it('compares batches at once with those in order, where an API takes them', () => {
    expect(calm.batches.map(({ name, items, answered }) => [name, items, answered])).toEqual([
      ['Status', 1, 1],
      ['Status', 10, 10],
      ['Status', 50, 50],
    ])
  })

  it('reloads with nothing, one and all of the definitions changed', () => {
    expect(calm.reloads.map(({ name, definitions }) => [name, definitions])).toEqual([
      ['nothing changed', 8],
      ['one changed', 8],
      ['all changed', 8],
    ])
  })

  it('says what it left out', () => {
    expect(calm.leftOut).toEqual([
      expect.stringMatching(/^broken\.json: cannot be loaded: /),
      'Ledger: is internal, no request from outside reaches it',
    ])
  })

  it('leaves the files of the user as they are', () => {
    expect(readFileSync(join(folder, 'apps', 'orders.json'), 'utf8')).toBe(
      readFileSync(join(company, 'apps', 'orders.json'), 'utf8'),
    )
  })

  it('finds against an earlier result what became slower, and nothing in what stayed', () => {
    const worse = compareReports(calm, planted).changes.filter(({ verdict }) => verdict === 'slower')
    expect(worse.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Orders v1: stage forward', 'Orders v1: a request', 'Status: stage forward']),
    )
    expect(worse.filter(({ name }) => name.includes(': stage ') && !name.endsWith(': stage forward'))).toEqual([])
    expect(compareReports(calm, calm).changes.filter(({ verdict }) => verdict !== 'same')).toEqual([])
  })

  it('keeps the requests around the worst reload, and the percentiles of single requests', () => {
    for (const { worst } of calm.reloads) expect(worst.requests.length).toBeGreaterThanOrEqual(4)
    for (const { latency } of calm.ways) expect(latency.p50.rounds).toHaveLength(1)
    expect(calm.ways[0]?.latency.p99.rounds[0]).toHaveLength(3)
  })

  it('draws a page that needs nothing from elsewhere, light and dark', () => {
    const html = benchHtml(planted, compareReports(calm, planted))
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).toContain('Orders v2')
    expect(html).not.toMatch(/<script|https?:\/\/|url\(|@import/)
  })

  it('sends a request of the user instead of its own', async () => {
    const request = { method: 'GET', url: '/catalogue/drafts', headers: {} }
    const report = await bench(0, { apis: ['catalogue'], requests: [{ api: 'catalogue', request }] })
    expect(report.ways.map(({ request, status }) => [request, status])).toEqual([['GET /catalogue/drafts', 403]])
    expect(report.leftOut).toContainEqual(
      expect.stringMatching(/^Catalogue GET \/catalogue\/drafts: responded with 403 by path-lists/),
    )
  })
})
