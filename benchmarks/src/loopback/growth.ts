/** Cost per request with few and with many APIs and keys: the same scenario against itself, grown. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { startPlainUpstream } from '../subjects/programs.ts'
import { writeKeys } from '../subjects/write-keys.ts'
import { contestantOf } from './beside-nginx.ts'
import { type Comparison, compare, type LoadShape, rowOfRatio, shapeOf, usualLoad } from './compare.ts'
import { manyApis, manyKeys, type Scenario } from './scenarios.ts'

const apiBudget = 1.3
/** Largest ratio by number of keys. With a million, a request in random order rarely finds its key in a CPU cache. */
const keyBudgets = [
  { keys: 100_000, budget: 1.3 },
  { keys: 1_000_000, budget: 2 },
]
/** Resident memory with the most keys: 1.4 GiB. */
const memoryBudgetMiB = 1434
/** Loads per process. The median window counts, because a shared machine is busy for seconds at a time. */
const windows = 5
/** The least that a gateway with keys serves; decides how long the warm-up needs to reach every key. */
const requestsPerSecond = 20_000

/** Growth in APIs and keys; `quick` leaves out the million keys. */
export async function measureGrowth(options: RunOptions): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const { quick, log } = options
  const shape = shapeOf(quick)
  const compareGrown = (few: Scenario, many: Scenario, load: LoadShape): Promise<Comparison> =>
    compare(contestantOf(many, upstream.url), contestantOf(few, upstream.url), options, load)
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-growth-'))
  try {
    const apis = await compareGrown(manyApis(10), manyApis(10_000), allWarm(shape))
    const rows = [rowOfRatio('growth from 10 to 10,000 APIs', apis, apiBudget, '')]
    const few = join(folder, 'few')
    await writeKeys(few, 'a0', 10)
    for (const { keys, budget } of keyBudgets.slice(0, quick ? 1 : undefined)) {
      const many = join(folder, String(keys))
      const count = keys.toLocaleString('en')
      log(`writing ${count} keys …`)
      await writeKeys(many, 'a0', keys)
      const grown = await compareGrown(manyKeys(10, few), manyKeys(keys, many), allKeysUsedOnce(shape, keys))
      rows.push(rowOfRatio(`growth from 10 to ${count} keys`, grown, budget, ''))
      const memory = spreadOf(grown.rounds.map((round) => round.subject.residentMiB))
      const limit = keys === 1_000_000 ? memoryBudgetMiB : undefined
      rows.push(
        rowOf(`memory with ${count} keys in use`, memory, ' MiB', limit, `at most ${memory.max.toFixed(0)} MiB`),
      )
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await upstream.stop()
  }
}

/**
 * A load whose warm-up reaches each of thousands of APIs about five times, so that the windows measure APIs in use.
 */
function allWarm(shape: LoadShape): LoadShape {
  return { ...shape, windows, warmUpSeconds: Math.max(shape.warmUpSeconds, 5), seconds: usualLoad.seconds }
}

/** A load whose warm-up uses every key once, so that the windows measure keys in use. */
function allKeysUsedOnce(shape: LoadShape, keys: number): LoadShape {
  return { ...shape, windows, warmUpSeconds: shape.warmUpSeconds + Math.ceil(keys / requestsPerSecond) }
}
