/** Cost per request with few and with many APIs and keys: the same scenario against itself, grown. */
import { type Row, rowOf } from '../report/table.ts'
import { startPlainUpstream } from '../subjects/plain-upstream-process.ts'
import { compare, type LoadShape, usualLoad } from './compare.ts'
import { contestantOf } from './loopback.ts'
import { manyApis, manyKeys, type Scenario } from './scenarios.ts'

const budget = 1.1

export async function measureGrowth(rounds: number, quick: boolean, tell: (text: string) => void): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const shape: LoadShape = quick ? { ...usualLoad, seconds: 2, warmUpSeconds: 1 } : usualLoad
  const keys = quick ? 100_000 : 1_000_000
  const grow = async (name: string, few: Scenario, many: Scenario): Promise<Row> => {
    const { ratio, subjectCpu, referenceCpu } = await compare(
      contestantOf(many, upstream.url),
      contestantOf(few, upstream.url),
      rounds,
      shape,
      tell,
    )
    const note = `${subjectCpu.median.toFixed(1)} µs against ${referenceCpu.median.toFixed(1)} µs, ratios ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`
    return rowOf(name, ratio.median, '×', budget, note)
  }
  try {
    return [
      await grow('growth from 10 to 10,000 APIs', manyApis(10), manyApis(10_000)),
      await grow(`growth from 10 to ${keys.toLocaleString('en')} keys`, manyKeys(10), manyKeys(keys)),
    ]
  } finally {
    await upstream.stop()
  }
}
