import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failureOf } from '@turnpike/dev/measurement'
import { expect, it } from 'vitest'
import { machineFacts } from '../measure/machine.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type BenchResult, makeResult, type PartRow, readResult } from './bench-result.ts'
import { compareResults } from './compare-results.ts'
import { resultPage } from './result-page.ts'
import { type Row, rowOf } from './table.ts'

const machine = { ...machineFacts(), nginx: 'nginx/1.0' }
const steady = (value: number) => spreadOf([value, value * 1.01, value * 0.99, value])
const inPart = (part: string, rows: readonly Row[]): PartRow[] => rows.map((row) => ({ part, ...row }))

function resultOf(rows: readonly PartRow[], speed = 1000, more: Partial<BenchResult> = {}): BenchResult {
  const calibration = Object.fromEntries(rows.map(({ part }) => [part, [speed, speed, speed]]))
  return {
    ...makeResult({ at: '2026-01-01T00:00:00.000Z', quick: false, rounds: 7, machine, calibration, rows }),
    ...more,
  }
}

const verdicts = (before: BenchResult, now: BenchResult) =>
  compareResults(before, now, 0.05).changes.map(({ name, verdict }) => [name, verdict])

it('gives each row a verdict; times are compared in units of the calibration workload, ratios are not', () => {
  const rows = (micros: number, ratio: number) =>
    inPart('A', [
      rowOf('time', steady(micros), ' µs', undefined, ''),
      rowOf('ratio', steady(ratio), '×', 1.8, ''),
      rowOf('failed requests', 0, '', 0, ''),
    ])
  // A machine of half the speed needs twice the time.
  expect(verdicts(resultOf(rows(10, 2)), resultOf(rows(20, 2), 2000))).toEqual([
    ['A: time', 'same'],
    ['A: ratio', 'same'],
  ])
  expect(verdicts(resultOf(rows(10, 2)), resultOf(rows(20, 1.5)))).toEqual([
    ['A: time', 'slower'],
    ['A: ratio', 'faster'],
  ])
})

it('needs a larger change where all rounds come from one process', () => {
  const rows = (micros: number, oneProcess: boolean) =>
    inPart('A', [rowOf('time', steady(micros), ' µs', undefined, '')]).map((row) => ({ ...row, oneProcess }))
  expect(verdicts(resultOf(rows(10, false)), resultOf(rows(11, false)))).toEqual([['A: time', 'slower']])
  expect(verdicts(resultOf(rows(10, true)), resultOf(rows(11, true)))).toEqual([['A: time', 'same']])
  expect(verdicts(resultOf(rows(10, true)), resultOf(rows(13, true)))).toEqual([['A: time', 'slower']])
})

it('compares rows of one name in their order, and only the parts that the new result has', () => {
  const stalls = (first: number, second: number) =>
    inPart('A', [
      rowOf('stall', steady(first), ' ms', undefined, ''),
      rowOf('stall', steady(second), ' ms', undefined, ''),
    ])
  const other = inPart('B', [rowOf('x', steady(1), ' ms', undefined, '')])
  const comparison = compareResults(resultOf([...stalls(10, 50), ...other]), resultOf(stalls(10, 90)), 0.05)
  expect(comparison.changes.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['A: stall', 'same'],
    ['A: stall (2)', 'slower'],
  ])
  expect(failureOf(comparison)).toBe('1 of 2 metrics became slower')
})

it('reports other programs and shorter rounds', () => {
  const rows = inPart('A', [rowOf('x', steady(1), ' ms', undefined, '')])
  const now = resultOf(rows, 1000, { quick: true, machine: { ...machine, nginx: 'nginx/2.0' } })
  expect(compareResults(resultOf(rows), now, 0.05).machines).toEqual([
    'nginx/1.0 before, nginx/2.0 now',
    '--quick: false before, true now',
  ])
})

it('the page has a chart, a table and the verdicts, with escaped names', () => {
  const before = resultOf(inPart('A & B', [rowOf('<x>', steady(10), ' µs', 20, 'note')]))
  const now = resultOf(inPart('A & B', [rowOf('<x>', steady(30), ' µs', 20, 'note')]))
  const page = resultPage(now, compareResults(before, now, 0.05))
  expect(page).toContain('<h2>A &amp; B</h2>')
  expect(page).toContain('&lt;x&gt;')
  expect(page).toMatch(/<svg[^>]+aria-label="A &amp; B, medians in µs"/)
  expect(page).toMatch(/<td>slower<\/td>/)
  const long = resultPage(resultOf(inPart('A', [rowOf('x'.repeat(200), steady(1), ' ms', undefined, '')])), undefined)
  expect(long).toMatch(/<text[^>]*>x{60,80}…<\/text>/)
  expect(page).not.toMatch(/<script|NaN|undefined/)
})

it('reads results of this version only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-result-'))
  try {
    const read = (content: unknown) => {
      const file = join(folder, 'result.json')
      writeFileSync(file, JSON.stringify(content))
      return readResult(file)
    }
    const result = resultOf(inPart('A', [rowOf('x', steady(1), ' ms', undefined, '')]))
    expect(read(result)).toEqual({ result })
    expect(read({ rows: [] })).toEqual({ problem: expect.stringMatching(/older version/) })
    expect(read(null)).toEqual({ problem: expect.stringMatching(/not a result of npm run bench/) })
    expect(readResult(join(folder, 'none.json'))).toEqual({ problem: expect.stringMatching(/ENOENT/) })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
