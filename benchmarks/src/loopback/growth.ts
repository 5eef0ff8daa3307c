/** Cost per request with few and with many APIs and keys: the same scenario against itself, grown. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Row, rowOf } from '../report/table.ts'
import { startPlainUpstream } from '../subjects/plain-upstream-process.ts'
import { seedKeys } from '../subjects/seed-keys.ts'
import { compare, type LoadShape, shapeOf, usualLoad } from './compare.ts'
import { contestantOf } from './loopback.ts'
import { manyApis, manyKeys, type Scenario } from './scenarios.ts'

const budget = 1.1
/** Shared machines are busy for seconds at a time, and what is cold pays more for it. */
const windows = 5
/** At least, of a gateway with keys. */
const requestsPerSecond = 20_000

export async function measureGrowth(rounds: number, quick: boolean, tell: (text: string) => void): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const shape: LoadShape = shapeOf(quick)
  const keys = quick ? 100_000 : 1_000_000
  const grow = async (
    name: string,
    limit: number | undefined,
    few: Scenario,
    many: Scenario,
    each: LoadShape,
  ): Promise<Row> => {
    const { ratio, subjectCpu, referenceCpu } = await compare(
      contestantOf(many, upstream.url),
      contestantOf(few, upstream.url),
      rounds,
      each,
      tell,
    )
    const note = `${subjectCpu.median.toFixed(1)} µs against ${referenceCpu.median.toFixed(1)} µs, ratios ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`
    return rowOf(name, ratio.median, '×', limit, note)
  }
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-growth-'))
  try {
    const apis = await grow('growth from 10 to 10,000 APIs', budget, manyApis(10), manyApis(10_000), longEnough(shape))
    const [few, many] = [join(folder, 'few'), join(folder, 'many')]
    tell(`writing ${keys.toLocaleString('en')} keys …`)
    await seedKeys(few, 'a0', 10)
    await seedKeys(many, 'a0', keys)
    const name = `growth from 10 to ${keys.toLocaleString('en')} keys`
    const inUse = await grow(name, budget, manyKeys(10, few), manyKeys(keys, many), allAskedOnce(shape, keys))
    const first = await grow(
      `${name}, mostly first requests`,
      undefined,
      manyKeys(10, few),
      manyKeys(keys, many),
      shape,
    )
    return [apis, inUse, first]
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await upstream.stop()
  }
}

/**
 * Requests to thousands of APIs in turn take long to come round: what is asked for is the cost of APIs in use, so each
 * has had some five requests before anything is measured, and has some twenty then.
 */
function longEnough(shape: LoadShape): LoadShape {
  return { ...shape, windows, warmUpSeconds: Math.max(shape.warmUpSeconds, 5), seconds: usualLoad.seconds }
}

/** As for APIs: keys in use, each of which has been asked for before anything is measured. */
function allAskedOnce(shape: LoadShape, keys: number): LoadShape {
  return { ...shape, windows, warmUpSeconds: shape.warmUpSeconds + Math.ceil(keys / requestsPerSecond) }
}
