/** Reloads of many definitions in process, with one or all changed, and the longest stall of the event loop. */

import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { type BenchEngine, documentOf, makeBenchEngine } from './bench-engine.ts'

export async function measureReloads(count: number, rounds: number): Promise<Row[]> {
  const definitions = Array.from({ length: count }, (_, i) => definition(`a${i}`, 'http://unused.test'))
  const { engine, documents } = await makeBenchEngine(definitions)
  const timed = async (change: () => void) => {
    change()
    const watch = watchStalls()
    const startedAt = performance.now()
    const report = await engine.reload()
    const ms = performance.now() - startedAt
    if (report.failed.length > 0 || report.loaded !== count)
      throw new Error(`the reload failed: ${JSON.stringify(report)}`)
    return { ms, stall: await watch.stop() }
  }
  let revision = 0
  const changeOne = () => rename(definitions.slice(0, 1), ++revision, documents)
  const changeAll = () => rename(definitions, ++revision, documents)
  const row = async (name: string, change: () => void, budgetMs: number): Promise<Row[]> => {
    const runs: { ms: number; stall: number }[] = []
    for (let i = 0; i < rounds; i++) runs.push(await timed(change))
    const stall = spreadOf(runs.map((run) => run.stall))
    const duration = spreadOf(runs.map((run) => run.ms))
    return [
      rowOf(name, duration, ' ms', budgetMs, `in process, ${rounds} times, longest ${duration.max.toFixed(1)} ms`),
      rowOf(
        '  longest stall of the event loop',
        stall,
        ' ms',
        undefined,
        `without load, the worst of all ${stall.max.toFixed(1)} ms`,
      ),
    ]
  }
  return [
    ...(await row(`reload of ${count} definitions, one changed`, changeOne, 30)),
    ...(await row(`reload of ${count} definitions, all changed`, changeAll, 400)),
  ]
}

/** Reload time by number of definitions and share of changed ones; without a budget. */
export async function measureReloadSizes(rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of [10, 100, 1000]) {
    const definitions = Array.from({ length: count }, (_, i) => definition(`a${i}`, 'http://unused.test'))
    const { engine, documents } = await makeBenchEngine(definitions)
    let revision = 0
    for (const share of [0, 0.1, 0.5, 1]) {
      const samples: number[] = []
      for (let round = 0; round < rounds; round++) {
        rename(definitions.slice(0, count * share), ++revision, documents)
        const startedAt = performance.now()
        await engine.reload()
        samples.push(performance.now() - startedAt)
      }
      const spread = spreadOf(samples)
      const { median, min, max } = spread
      const note = `${min.toFixed(1)}–${max.toFixed(1)} ms, ${((median * 1000) / count).toFixed(0)} µs a definition`
      rows.push(rowOf(`  reload of ${count}, ${share * 100} % changed`, spread, ' ms', undefined, note))
    }
  }
  return rows
}

/** Gives definitions another name, so that the next reload compiles them again. */
function rename(definitions: readonly object[], revision: number, documents: BenchEngine['documents']): void {
  for (const one of definitions) {
    const document = documentOf({ ...one, name: `r${revision}` }, revision)
    documents.set(document.name, document)
  }
}

/** The longest time between two iterations of the event loop. */
function watchStalls(): { stop(): Promise<number> } {
  let last = performance.now()
  let longest = 0
  let on = true
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (on) setImmediate(look)
  }
  setImmediate(look)
  return {
    async stop() {
      await new Promise<void>((resolve) => setImmediate(resolve))
      on = false
      return longest
    },
  }
}
