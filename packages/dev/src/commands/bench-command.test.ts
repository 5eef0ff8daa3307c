import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTestIo } from 'turnpike/embedding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BenchReport } from '../bench/bench-report.ts'
import { makeManualStopwatch } from '../bench/testing/manual-stopwatch.ts'
import { main } from '../main.ts'
import { type BenchCommandOptions, benchCommand } from './bench-command.ts'

const company = fileURLToPath(new URL('../../../../fixtures/company', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-cli-'))
  cpSync(company, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const quick = { rounds: 3, perRound: 20, upstreamMs: [0], probes: 2, api: ['orders'] }

async function bench(options: BenchCommandOptions) {
  const io = makeTestIo({ cwd: folder })
  const code = await benchCommand('.', { ...quick, ...options }, io, makeManualStopwatch())
  return { code, text: io.printed.join('\n'), errorLines: io.errorLines }
}

describe('turnpike bench', { timeout: 60_000 }, () => {
  it('ends well where nothing became slower than before, and reports that', async () => {
    writeFileSync(join(folder, 'before.json'), (await bench({ json: true })).text)
    const { code, text } = await bench({ compare: 'before.json' })
    expect(code).toBe(0)
    expect(text).toMatch(/against before\.json: 0 slower/)
  })

  it('ends with 1 where a figure became slower beyond noise, and names it', async () => {
    const before = JSON.parse((await bench({ json: true })).text) as BenchReport
    const faster = before.ways.map((cost) => ({
      ...cost,
      total: { median: 0.5, low: 0.5, high: 0.5, rounds: [[0.5, 0.5, 0.5]] },
    }))
    writeFileSync(join(folder, 'before.json'), JSON.stringify({ ...before, ways: faster }))
    const { code, text } = await bench({ compare: 'before.json' })
    expect(code).toBe(1)
    expect(text).toMatch(/slower +Orders v1: a request/)
  })

  it('writes JSON to a file beside the text', async () => {
    const { code, text } = await bench({ json: 'result.json' })
    expect([code, text]).toEqual([0, expect.stringMatching(/^requests, in process/m)])
    const written = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as BenchReport
    expect([written.kind, written.machine.kernel]).toEqual(['turnpike-bench', release()])
    expect((await bench({ json: 'result.json', compare: 'result.json' })).text).toMatch(
      /against result\.json: 0 slower/,
    )
  })

  it('ends with 1 if no metric can be compared', async () => {
    const before = JSON.parse((await bench({ json: true })).text) as BenchReport
    writeFileSync(join(folder, 'before.json'), JSON.stringify({ ...before, ways: [], batches: [], reloads: [] }))
    const { code, errorLines } = await bench({ compare: 'before.json' })
    expect([code, errorLines.at(-1)]).toEqual([1, expect.stringMatching(/^error: nothing could be compared/)])
  })

  it('reads a folder after --json as the folder of definitions, as without a file', async () => {
    const io = makeTestIo({ cwd: folder })
    const args = ['bench', '--api', 'orders', '--processes', '1', '--rounds', '1', '--time', '1', '--json', '.']
    expect([await main(args, io), JSON.parse(io.printed.join('\n')).kind]).toEqual([0, 'turnpike-bench'])
  })

  it.each([
    [['--api', 'Ordrs'], 'error: there is no API "Ordrs"; did you mean "orders"?'],
    [['--requests', 'own.yaml'], 'error: there is no API "ordres"; did you mean "orders"?'],
  ])('reports an API that does not exist before it measures: %j', async (args, complaint) => {
    writeFileSync(join(folder, 'own.yaml'), 'requests: [{ api: ordres, url: /orders/1 }]')
    const io = makeTestIo({ cwd: folder })
    expect([await main(['bench', '.', ...args], io), io.errorLines]).toEqual([2, [complaint]])
  })

  it('writes the HTML report', async () => {
    const { code } = await bench({ html: 'page.html' })
    expect([code, readFileSync(join(folder, 'page.html'), 'utf8').slice(0, 15)]).toEqual([0, '<!doctype html>'])
  })

  it.each([
    [['bench', '.', '--conf', 'gateway.json'], 'name a folder or --conf, not both'],
    [['bench', '.', '--compare', 'missing.json'], /^missing\.json: ENOENT/],
    [['bench', '.', '--compare', 'gateway.json'], /^gateway\.json: is not a result of turnpike bench/],
    [['bench', '.', '--compare', 'half.json'], /^half\.json: is a result of turnpike bench with metrics missing/],
    [['bench', '.', '--compare', 'old.json'], /^old\.json: was written by an older version/],
    [['bench', '.', '--json', 'gateway.json'], /^--json gateway\.json: exists and is not a result of turnpike bench/],
    [['bench', '.', '--json', 'missing/x.json'], /^--json missing\/x\.json: cannot be written: ENOENT/],
    [['bench', '.', '--html', 'apps'], /^--html apps: is a folder/],
    [['bench', '.', '--tolerance', '-1'], /This must be a percentage/],
    [['bench', '.', '--requests', 'gateway.json'], /^gateway\.json: profile is not a known field/],
    [['bench', '.', '--rounds', 'some'], /This must be a whole number from 1 on/],
  ])('reports what is wrong with %j', async (args, complaint) => {
    const old = { kind: 'turnpike-bench', yardstick: { median: 1 }, ways: [], batches: [], reloads: [] }
    const half = { ...old, calibration: { median: 1 }, machine: { cpu: 'X' }, ways: [{ name: 'a' }] }
    writeFileSync(join(folder, 'old.json'), JSON.stringify(old))
    writeFileSync(join(folder, 'half.json'), JSON.stringify(half))
    const io = makeTestIo({ cwd: folder })
    expect(await main(args, io)).toBe(2)
    expect(io.errorLines.join('\n')).toMatch(complaint)
  })
})
