/**
 * npm run bench [-- --quick] [-- --budgets] [-- --json FILE] [-- --only in-process|loopback|clients|growth]
 *
 * Measures the decision path and reloads in process, and the gateway over loopback beside nginx on the same upstream.
 * Prints a table and writes JSON; with --budgets it exits 1 when a budget is missed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureDecisions } from './in-process/decision.ts'
import { measureReloads } from './in-process/reload.ts'
import { measureStages } from './in-process/stages.ts'
import { measureBatches } from './loopback/batch.ts'
import { measureClients } from './loopback/clients.ts'
import { measureGrowth } from './loopback/growth.ts'
import { measureLoopback } from './loopback/loopback.ts'
import { measureReloadUnderLoad } from './loopback/reload-under-load.ts'
import { machineFacts } from './measure/machine.ts'
import { missingTools } from './measure/missing-tools.ts'
import { printTable, type Row } from './report/table.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    budgets: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
  },
})
const tell = (text: string) => console.error(text)
const wanted = (part: string) => options.only === undefined || options.only === part
const rows: Row[] = []

if (wanted('in-process')) {
  tell('the decision path in process …')
  rows.push(...(await measureDecisions(options.quick ? 500 : 2000)))
  rows.push(...(await measureStages(options.quick ? 200 : 1000)))
  tell('reloads in process …')
  rows.push(...(await measureReloads(1000, options.quick ? 5 : 11)))
}
const missing = missingTools()
if (missing.length > 0) {
  tell(`not measured over loopback: ${missing.join(' and ')} not installed (apt-get install ${missing.join(' ')})`)
  if (process.env['CI']) process.exitCode = 1
} else {
  const rounds = options.quick ? 3 : 7
  if (wanted('loopback')) rows.push(...(await measureLoopback(rounds, options.quick, tell)))
  if (wanted('clients')) rows.push(...(await measureClients(rounds, options.quick, tell)))
  if (wanted('batch')) rows.push(...(await measureBatches(rounds, options.quick, tell)))
  if (wanted('growth')) rows.push(...(await measureGrowth(rounds, options.quick, tell)))
  if (wanted('reload')) rows.push(...(await measureReloadUnderLoad(options.quick, tell)))
}

const machine = machineFacts()
const text = printTable(rows)
console.log(
  `\n${machine.cpu}, ${machine.cores} cores, Linux ${machine.kernel}, Node ${machine.node}, ${machine.nginx}\n`,
)
console.log(text)
const file = options.json ?? fileURLToPath(new URL('../results/latest.json', import.meta.url))
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify({ machine, rows }, null, 1)}\n`)
console.log(`\nwritten to ${file}`)
if (options.budgets && rows.some((row) => row.verdict === 'missed')) process.exitCode = 1
