/**
 * npm run bench [-- OPTIONS]; `scripts/bench/command-line.mjs` has the options.
 *
 * Measures the decision path and reloads in process, and the gateway over loopback beside nginx on the same upstream.
 * Prints a table and writes JSON. The parts are listed in run-parts.ts.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Comparison,
  comparisonLines,
  defaultTolerance,
  failureOf,
  findOutputProblem,
  loadWarning,
  machineLine,
  makeCalibration,
} from '@turnpike/dev/measurement'
import { type BenchOptions, readBenchOptions } from '../../scripts/bench/command-line.mjs'
import { isSelected } from './measure/is-selected.ts'
import { machineFacts } from './measure/machine.ts'
import { missingTools } from './measure/missing-tools.ts'
import { ownCpuMicros } from './measure/process-cpu.ts'
import { type BenchResult, makeResult, type PartRow, readResult } from './report/bench-result.ts'
import { compareResults } from './report/compare-results.ts'
import { resultPage } from './report/result-page.ts'
import { byVerdict, printTable, type Row, unmeasured } from './report/table.ts'
import { type RunPart, runParts } from './run-parts.ts'

const log = (text: string) => console.error(text)
const options = readBenchOptions()
const { quick = false, budgets = false, scenario, other, before } = options
const rounds = options.rounds === undefined ? (quick ? 3 : 7) : Number(options.rounds)
const chosen = chooseParts(options)
const file = options.json ?? defaultFile(options)
expectWritable('--json', file)
if (before !== undefined && !existsSync(join(before, 'packages/turnpike/bin/turnpike.js'))) {
  reject(`--before ${before}: is not a checkout of this repository`)
}
if (options.html !== undefined) expectWritable('--html', options.html)
const earlier = options.compare === undefined ? undefined : readEarlier(options.compare)

const missing = missingTools()
const result = await measureAll()
const comparison =
  earlier && compareResults(earlier, result, options.tolerance ? Number(options.tolerance) / 100 : defaultTolerance)
printResult(result, comparison)
if (options.html !== undefined) {
  writeFileSync(options.html, resultPage(result, comparison))
  console.log(`written to ${options.html}`)
}
process.exitCode = exitCode(result, comparison)

/** Exits with an error before an hour of measuring. */
function reject(problem: string): never {
  log(`error: ${problem}`)
  process.exit(2)
}

function chooseParts({ only, scenario: text }: BenchOptions): readonly RunPart[] {
  const names = only?.split(',')
  const lacking = runParts.find(({ name, needs }) => needs && options[needs] === undefined && names?.includes(name))
  if (lacking !== undefined) reject(`--only ${lacking.name} needs --${lacking.needs} (--help lists the options)`)
  const parts = runParts
    .filter(({ needs }) => needs === undefined || options[needs] !== undefined)
    .filter(({ name, hasBudgets }) => names?.includes(name) ?? (hasBudgets || !budgets))
  if (text === undefined) return parts
  const found = parts.filter(({ scenarios = () => [] }) => scenarios().some((name) => isSelected(name, text)))
  if (found.length > 0) return found
  const all = parts.flatMap(({ scenarios = () => [] }) => scenarios())
  return reject(`--scenario ${text}: no scenario of these parts contains it; there are ${all.join('; ') || 'none'}`)
}

/** The result of a single part or a quick run does not replace that of a full run. */
function defaultFile({ only }: BenchOptions): string {
  const name = scenario ? 'scenario' : quick ? 'quick' : (only ?? (budgets ? 'budgets' : 'latest'))
  const folder = new URL('../results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  return fileURLToPath(new URL(`${name}.json`, folder))
}

function expectWritable(option: string, path: string): void {
  const problem = findOutputProblem(resolve(path))
  if (problem !== undefined) reject(`${option} ${path}: ${problem}`)
}

function readEarlier(path: string): BenchResult {
  const read = readResult(path)
  return 'problem' in read ? reject(`--compare ${path}: ${read.problem}`) : read.result
}

/** The file is written after each part, so that an interrupted run keeps its results. */
async function measureAll(): Promise<BenchResult> {
  const machine = machineFacts()
  const busy = loadWarning(machine)
  if (busy !== undefined) log(busy)
  const startedAt = new Date()
  const rows: PartRow[] = []
  const calibrations: Record<string, readonly number[]> = {}
  for (const [i, part] of chosen.entries()) {
    const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000)
    log(`[${i + 1}/${chosen.length}] ${part.title}, ${seconds} s since the start`)
    const calibration = makeCalibration({ cpuMicros: ownCpuMicros })
    const calibrate = () => Array.from({ length: 5 }, () => calibration.run())
    calibrate()
    rows.push(...(await measurePart(part)).map((row) => ({ part: part.title, oneProcess: !part.overLoopback, ...row })))
    calibrate()
    calibrations[part.title] = calibration.read().rounds.flat()
    const soFar = makeResult({ at: startedAt.toISOString(), quick, rounds, machine, calibration: calibrations, rows })
    writeFileSync(file, `${JSON.stringify(soFar, null, 1)}\n`)
  }
  return makeResult({ at: startedAt.toISOString(), quick, rounds, machine, calibration: calibrations, rows })
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
    return await part.run({ quick, rounds, budgets, other, before, scenario, log })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    log(message)
    return lost(message.split('\n')[0] ?? '')
  }
}

function printResult({ machine, rows }: BenchResult, compared: Comparison | undefined): void {
  console.log(`\n${machineLine(machine)}, ${machine.nginx}\n`)
  console.log(printTable(budgets ? byVerdict(rows) : rows))
  if (compared !== undefined) console.log(`\n${comparisonLines(compared, options.compare ?? '').join('\n')}`)
  console.log(`\nwritten to ${file}`)
}

function exitCode({ rows }: BenchResult, compared: Comparison | undefined): number {
  const failure = compared === undefined ? undefined : failureOf(compared)
  if (failure !== undefined) log(`error: ${failure}`)
  const missed = rows.filter((row) => row.verdict === 'missed')
  if (budgets) {
    log(
      missed.length === 0 ? '\nevery budget was kept' : `\nmissed: ${missed.map(({ name }) => name.trim()).join('; ')}`,
    )
  }
  const toolsLack = Boolean(process.env['CI']) && missing.length > 0
  return failure !== undefined || (budgets ? missed.length > 0 : toolsLack) ? 1 : 0
}
