/**
 * Cost of each stage per request, in process: a keyless API with and without the fields that activate the stage. A
 * definition that does not use a feature must cost the same as a plain one.
 */
import type { GatewayResponse } from '@turnpike/core/http'
import { isPromise } from '@turnpike/core/lib'
import type { Bench } from 'tinybench'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { stageCases } from './stage-cases.ts'
import { caseScripts } from './stage-cases-scripts.ts'
import { makeStageEngine, type StageEngine } from './stage-engine.ts'
import { requestsPerSample, timeTasks } from './time-tasks.ts'

const plain = 'plain'

export async function measureStages(milliseconds: number): Promise<Row[]> {
  const waiting = new Set<string>()
  const microsOf = await timeTasks(milliseconds, async (bench) => {
    for (const one of [{ name: plain, fields: {} }, ...stageCases]) {
      const engine = await makeStageEngine(one)
      // The second request, because the first one fills caches.
      await answerOf(one.name, engine, 0)
      if (await answerOf(one.name, engine, 1)) waiting.add(one.name)
      addTo(bench, one.name, engine, waiting.has(one.name))
    }
  })
  await caseScripts.close()
  const base = microsOf(plain).median
  return stageCases.map(({ name }) => {
    const each = microsOf(name)
    const ratio = each.median / base
    const note = `${ratio.toFixed(2)} × a plain keyless request${waiting.has(name) ? ', with a promise' : ''}`
    const added = spreadOf(each.values.map((value) => Math.max(0, value - base)))
    return rowOf(`  stage: ${name}`, added, ' µs', undefined, note)
  })
}

function addTo(bench: Bench, name: string, { engine, request }: StageEngine, waits: boolean): void {
  let next = 2
  const one = () => engine.handle(request(next++))
  if (waits) {
    bench.add(name, async () => {
      for (let i = 0; i < requestsPerSample; i++) await one()
    })
    return
  }
  bench.add(name, () => {
    for (let i = 0; i < requestsPerSample; i++) one()
  })
}

/** Returns true if the response is a promise; throws if it is not the expected one. */
async function answerOf(name: string, { engine, request }: StageEngine, i: number): Promise<boolean> {
  const made = engine.handle(request(i))
  const { status, body }: GatewayResponse = await made
  if (status !== 200) throw new Error(`${name}: the answer is ${status} ${typeof body === 'string' ? body : ''}`)
  return isPromise(made)
}
