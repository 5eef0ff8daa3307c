/**
 * npm run bench [-- --quick] [-- --budgets] [-- --json FILE] [-- --only in-process|start|loopback|references|latency|variants|clients|batch|growth|reload]
 *   [-- --other "CMD {port} {upstream}"]
 *
 * Measures the decision path and reloads in process, and the gateway over loopback beside nginx on the same upstream.
 * Prints a table and writes JSON. With --budgets only what has a budget is measured and printed, and a budget that was
 * missed, or that could not be measured, makes the exit code 1.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureBatchSizes } from './in-process/batches.ts'
import { measureDecisions } from './in-process/decision.ts'
import { measureParts } from './in-process/parts.ts'
import { measureReloadSizes, measureReloads } from './in-process/reload.ts'
import { measureStages } from './in-process/stages.ts'
import { measureBatches } from './loopback/batch.ts'
import { measureClients } from './loopback/clients.ts'
import { measureGrowth } from './loopback/growth.ts'
import { measureLatency } from './loopback/latency.ts'
import { measureLoopback } from './loopback/loopback.ts'
import { measureReferences } from './loopback/references.ts'
import { measureReloadUnderLoad } from './loopback/reload-under-load.ts'
import { measureStartUp } from './loopback/start-up.ts'
import { measureVariants } from './loopback/variants.ts'
import { machineFacts } from './measure/machine.ts'
import { missingTools } from './measure/missing-tools.ts'
import { byVerdict, printTable, type Row } from './report/table.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    budgets: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
    other: { type: 'string' },
  },
})
const tell = (text: string) => console.error(text)
const unbudgeted = ['references', 'latency', 'variants', 'clients']
const wanted = (part: string) =>
  options.only === undefined ? !(options.budgets && unbudgeted.includes(part)) : options.only === part
const rows: Row[] = []

if (wanted('in-process')) {
  tell('the decision path in process …')
  rows.push(...(await measureDecisions(options.quick ? 500 : 2000)))
  if (!options.budgets) {
    tell('stages, parts and batches in process …')
    rows.push(...(await measureStages(options.quick ? 200 : 1000)))
    rows.push(...(await measureParts(options.quick ? 100 : 500)))
    rows.push(...(await measureBatchSizes(options.quick ? 3 : 11)))
  }
  tell('reloads in process …')
  rows.push(...(await measureReloads(1000, options.quick ? 5 : 11)))
  if (!options.budgets) rows.push(...(await measureReloadSizes(options.quick ? 3 : 7)))
}
const missing = missingTools()
if (missing.length > 0) {
  tell(`not measured over loopback: ${missing.join(' and ')} not installed (apt-get install ${missing.join(' ')})`)
  if (process.env['CI'] || options.budgets) process.exitCode = 1
} else {
  const rounds = options.quick ? 3 : 7
  if (wanted('start')) rows.push(...(await measureStartUp(rounds, tell)))
  if (wanted('loopback')) rows.push(...(await measureLoopback(rounds, options.quick, tell)))
  if (wanted('references')) {
    rows.push(...(await measureReferences(Math.min(rounds, 3), options.quick, options.other, tell)))
  }
  if (wanted('latency')) rows.push(...(await measureLatency(Math.min(rounds, 3), options.quick, tell)))
  if (wanted('variants')) rows.push(...(await measureVariants(Math.min(rounds, 3), options.quick, tell)))
  if (wanted('clients')) rows.push(...(await measureClients(rounds, options.quick, tell)))
  if (wanted('batch')) rows.push(...(await measureBatches(rounds, options.quick, tell)))
  if (wanted('growth')) rows.push(...(await measureGrowth(rounds, options.quick, tell)))
  if (wanted('reload')) rows.push(...(await measureReloadUnderLoad(options.quick, tell)))
}

const machine = machineFacts()
console.log(
  `\n${machine.cpu}, ${machine.cores} cores, Linux ${machine.kernel}, Node ${machine.node}, ${machine.nginx}\n`,
)
console.log(options.budgets ? printTable(byVerdict(rows)) : printTable(rows))
// A part alone, or a short look, does not take the place of a whole run.
const kept = options.quick ? 'quick' : (options.only ?? (options.budgets ? 'budgets' : 'latest'))
const file = options.json ?? fileURLToPath(new URL(`../results/${kept}.json`, import.meta.url))
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify({ machine, rows }, null, 1)}\n`)
console.log(`\nwritten to ${file}`)
const missed = rows.filter((row) => row.verdict === 'missed')
if (options.budgets) {
  console.error(
    missed.length === 0 ? '\nevery budget was kept' : `\nmissed: ${missed.map(({ name }) => name.trim()).join('; ')}`,
  )
  if (missed.length > 0) process.exitCode = 1
}
