/**
 * Cost of each stage per request, in process: a keyless API with and without the fields that activate the stage. A
 * definition that does not use a feature must cost the same as a plain one.
 */
import type { GatewayResponse } from '@turnpike/core'
import { Bench } from 'tinybench'
import { type Row, rowOf } from '../report/table.ts'
import { medianMicros, requestsPerSample } from './bench-engine.ts'
import { stageCases } from './stage-cases.ts'
import { caseScripts } from './stage-cases-scripts.ts'
import { makeStageEngine, type StageEngine } from './stage-engine.ts'

const plain = 'plain'

export async function measureStages(milliseconds: number): Promise<Row[]> {
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 2 })
  const waiting = new Set<string>()
  for (const one of [{ name: plain, fields: {} }, ...stageCases]) {
    const engine = await makeStageEngine(one)
    // The second request, because the first one fills caches.
    await answerOf(one.name, engine, 0)
    if (await answerOf(one.name, engine, 1)) waiting.add(one.name)
    addTo(bench, one.name, engine, waiting.has(one.name))
  }
  await bench.run()
  await caseScripts.close()
  const micros = new Map(bench.tasks.map((task) => [task.name, medianMicros(task.result)]))
  const base = micros.get(plain) ?? Number.NaN
  return stageCases.map(({ name }) => {
    const each = micros.get(name) ?? Number.NaN
    const note = `${(each / base).toFixed(2)} × a plain keyless request${waiting.has(name) ? ', with a promise' : ''}`
    return rowOf(`  stage: ${name}`, Math.max(0, each - base), ' µs', undefined, note)
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
  return made instanceof Promise
}
