/**
 * This gateway beside an earlier one, in the same run: CPU time of requests and batches, start, and memory. The earlier one
 * is a built checkout of this repository: `--before FOLDER`.
 */
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { keyedBatch } from './batch-cost.ts'
import { contestantOf } from './beside-nginx.ts'
import { type Contestant, compare } from './compare.ts'
import { cached, keyless, withKey } from './scenarios.ts'
import { type Started, startOnce } from './start-up.ts'

interface Pair {
  readonly now: readonly number[]
  readonly before: readonly number[]
}

export async function measureBeforeAfter(options: RunOptions): Promise<Row[]> {
  const { before: checkout = '' } = options
  return withPlainUpstream(async (upstream) => {
    const rows: Row[] = []
    const contestants: ((checkout?: string) => Contestant)[] = [
      ...[keyless, withKey, cached].map((scenario) => (from?: string) => contestantOf(scenario, upstream, from)),
      (from) => keyedBatch(upstream, from),
    ]
    for (const contestant of contestants) {
      const { name, rounds: done } = await compare(contestant(), contestant(checkout), options)
      rows.push(
        rowOfPair(`${name}, CPU`, ' µs', {
          now: done.map(({ subject }) => subject.cpuMicrosPerRequest),
          before: done.map(({ reference }) => reference.cpuMicrosPerRequest),
        }),
      )
    }
    for (const count of [1, 1000]) rows.push(...(await measureStarts(upstream, count, checkout, options)))
    return rows
  })
}

async function measureStarts(
  upstream: string,
  count: number,
  checkout: string,
  { rounds, log }: RunOptions,
): Promise<Row[]> {
  const now: Started[] = []
  const before: Started[] = []
  for (let round = 0; round < rounds; round++) {
    const one = async () => now.push(await startOnce(upstream, count))
    const other = async () => before.push(await startOnce(upstream, count, checkout))
    for (const start of round % 2 === 0 ? [one, other] : [other, one]) await start()
    log(`start with ${count} APIs, round ${round + 1} of ${rounds}`)
  }
  const pairOf = (of: (started: Started) => number): Pair => ({ now: now.map(of), before: before.map(of) })
  const apis = count === 1 ? '1 API' : `${count.toLocaleString('en')} APIs`
  return [
    rowOfPair(
      `start to the first response, ${apis}`,
      ' ms',
      pairOf(({ ms }) => ms),
    ),
    rowOfPair(
      `memory after the start, ${apis}`,
      ' MiB',
      pairOf(({ mib }) => mib),
    ),
  ]
}

/** The ratio of each round, with both values. */
function rowOfPair(name: string, unit: string, { now, before }: Pair): Row {
  const ratio = spreadOf(now.map((value, round) => value / (before[round] ?? Number.NaN)))
  const [earlier, current] = [spreadOf(before).median, spreadOf(now).median]
  const note = `${earlier.toFixed(1)}${unit} before, ${current.toFixed(1)}${unit} now`
  const tags = { before: earlier, now: current, unit: unit.trim(), lowest: ratio.min, highest: ratio.max }
  return { ...rowOf(name, ratio, '×', undefined, note), tags }
}
