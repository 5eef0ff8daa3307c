/**
 * npm run bench [-- --quick] [-- --budgets] [-- --only PART[,PART …]] [-- --other "CMD {port} {upstream}"] [-- --json FILE]
 *
 * Measures the decision path and reloads in process, and the gateway over loopback beside nginx on the same upstream.
 * Prints a table and writes JSON. With --budgets it measures only rows with a budget, and exits with 1 if a budget was
 * missed or could not be measured. The parts are listed in run-parts.ts.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { machineFacts } from './measure/machine.ts'
import { missingTools } from './measure/missing-tools.ts'
import { byVerdict, printTable, type Row, unmeasured } from './report/table.ts'
import { type RunPart, runParts } from './run-parts.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    budgets: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
    other: { type: 'string' },
    scenario: { type: 'string' },
  },
})
const log = (text: string) => console.error(text)
const names = options.only?.split(',')
const unknown = names?.filter((name) => runParts.every((part) => part.name !== name)) ?? []
if (unknown.length > 0) {
  log(`there is no part ${unknown.join(', ')}: there are ${runParts.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const chosen = runParts.filter(({ name, hasBudgets }) =>
  names === undefined ? hasBudgets || !options.budgets : names.includes(name),
)

interface PartRow extends Row {
  /** Heading of its table. */
  readonly part: string
}

const machine = machineFacts()
const startedAt = new Date()
// The result of a single part or a quick run does not replace that of a full run.
const kept = options.scenario
  ? 'scenario'
  : options.quick
    ? 'quick'
    : (options.only ?? (options.budgets ? 'budgets' : 'latest'))
const file = options.json ?? fileURLToPath(new URL(`../results/${kept}.json`, import.meta.url))
try {
  mkdirSync(dirname(file), { recursive: true })
  // Check before an hour of measuring that the file can be written.
  appendFileSync(file, '')
} catch (cause) {
  log(`error: --json ${file}: cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exit(2)
}

const rows: PartRow[] = []
const missing = missingTools()
for (const [i, part] of chosen.entries()) {
  log(
    `[${i + 1}/${chosen.length}] ${part.title}, ${Math.round((Date.now() - startedAt.getTime()) / 1000)} s since the start`,
  )
  rows.push(...(await measurePart(part)).map((row) => ({ part: part.title, ...row })))
  // Written after each part, so that an interrupted run keeps its results.
  writeFileSync(
    file,
    `${JSON.stringify({ at: startedAt.toISOString(), quick: options.quick, machine, rows }, null, 1)}\n`,
  )
}

/** Runs a part. If it fails, the failure is logged, and its budgets count as missed. */
async function measurePart(part: RunPart): Promise<Row[]> {
  const reason = part.overLoopback && missing.length > 0 ? `${missing.join(' and ')} not installed` : undefined
  const lost = (why: string): Row[] => {
    log(`${part.title}: not measured: ${why}`)
    const row = unmeasured(part.title, part.hasBudgets ? 'its budgets' : '', why)
    return [part.hasBudgets ? row : { ...row, verdict: '' }]
  }
  if (reason !== undefined) return lost(reason)
  try {
    return await part.run({
      quick: options.quick,
      budgets: options.budgets,
      other: options.other,
      scenario: options.scenario,
      log,
    })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    log(message)
    return lost(message.split('\n')[0] ?? '')
  }
}

console.log(
  `\n${machine.cpu}, ${machine.cores} cores, Linux ${machine.kernel}, Node ${machine.node}, ${machine.nginx}\n`,
)
console.log(printTable(options.budgets ? byVerdict(rows) : rows))
console.log(`\nwritten to ${file}`)
const missed = rows.filter((row) => row.verdict === 'missed')
if (options.budgets) {
  log(missed.length === 0 ? '\nevery budget was kept' : `\nmissed: ${missed.map(({ name }) => name.trim()).join('; ')}`)
  if (missed.length > 0) process.exitCode = 1
} else if (process.env['CI'] && missing.length > 0) process.exitCode = 1
