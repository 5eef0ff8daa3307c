/**
 * node benchmarks/dist/capacity/main.js [--quick] [--only simulation|redis|requests|memory] --json FILE
 *
 * Measures what a capacity plan needs and simulates a large cluster. Parts that are not measured keep their values of
 * the file. `scripts/capacity-page.mjs` runs it and writes docs/capacity.md.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { machineFacts } from '../measure/machine.ts'
import { measureMemory, measureRequestCosts } from './measure-gateway.ts'
import { measureRedisCosts } from './measure-redis.ts'
import { fullSimulation, quickSimulation, simulateCluster } from './simulate-cluster.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, json: { type: 'string' } },
})
const { quick, only, json: file } = values
if (file === undefined) throw new Error('--json FILE is missing')
const log = (text: string) => console.error(text)

const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  simulation: () => {
    const size = quick ? quickSimulation : fullSimulation
    log(`simulates ${size.nodes} nodes with ${size.keys} keys …`)
    return simulateCluster(size)
  },
  redis: () => measureRedisCosts(quick, log),
  requests: () => measureRequestCosts(quick, log),
  memory: () => measureMemory(quick, log),
}
const result: Record<string, unknown> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
for (const [name, measure] of Object.entries(parts)) {
  if (only !== undefined && only !== name) continue
  const facts = { at: new Date().toISOString(), quick, load: Number(loadavg()[0]?.toFixed(1)), machine: machineFacts() }
  result[name] = { ...facts, values: await measure() }
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`)
}
