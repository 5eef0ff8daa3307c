/** What a scripted endpoint that returns a constant costs on the main thread; the script itself runs in a worker. */
import { mainThreadMicros } from '../measure/process-cpu.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { caseScripts, scriptCases } from './stage-cases-scripts.ts'
import { makeStageEngine } from './stage-engine.ts'

const budgetMicros = 40
/** Requests in flight, as on a gateway that is in use. With one at a time the thread also pays for falling asleep. */
const inFlight = 16
const requestsPerRound = 4_000

export async function measureScriptedEndpoint({ rounds }: RunOptions): Promise<Row[]> {
  const endpoint = scriptCases.find(({ name }) => name === 'scripted endpoint')
  if (endpoint === undefined) throw new Error('there is no case of a scripted endpoint')
  const { engine, request } = await makeStageEngine(endpoint)
  const send = async () => {
    const { status } = await engine.handle(request(0))
    if (status !== 200) throw new Error(`the scripted endpoint responds with ${status}`)
  }
  const measure = async () => {
    const before = mainThreadMicros()
    for (let sent = 0; sent < requestsPerRound; sent += inFlight) {
      await Promise.all(Array.from({ length: inFlight }, send))
    }
    return (mainThreadMicros() - before) / requestsPerRound
  }
  try {
    // The first rounds also compile the code.
    for (let round = 0; round < 3; round++) await measure()
    const micros: number[] = []
    for (let round = 0; round < rounds; round++) micros.push(await measure())
    const spread = spreadOf(micros)
    const note = `${spread.min.toFixed(1)} to ${spread.max.toFixed(1)} µs, ${inFlight} requests in flight`
    return [rowOf('scripted endpoint with a constant, CPU of the main thread', spread, ' µs', budgetMicros, note)]
  } finally {
    await caseScripts.close()
  }
}
