/**
 * `turnpike verify`: reports what a gateway's files guarantee, warns about settings with unexpected effects, and
 * tests whether the engine keeps the guarantees.
 */
import { writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type ReportOptions, writeReports } from '@turnpike/reports'
import {
  checkGateway,
  codeOfInvalidConfig,
  type ExitCode,
  exitCodes,
  formatFinding,
  hasErrors,
  type Io,
  inFolder,
  loadConfig,
  readSeed,
} from 'turnpike/embedding'
import { number } from '../verify/format-text.ts'
import { verifyPage } from '../verify/html/verify-page.ts'
import { allProperties, onlyProperty, verifiedProperties } from '../verify/property-filter.ts'
import type { Progress } from '../verify/search-traces.ts'
import { toCiReport } from '../verify/verify-ci-report.ts'
import { outcomeOf, type VerifyReport, verifyGateway } from '../verify/verify-gateway.ts'
import { toJsonReport } from '../verify/verify-json-report.ts'
import { verifyLines } from '../verify/verify-lines.ts'

export interface VerifyCommandOptions extends ReportOptions {
  readonly conf?: string
  readonly json?: boolean
  /** Default 10. */
  readonly seconds?: number
  /** Default: random. */
  readonly seed?: number
  /** Tests only this property and reports no warnings. */
  readonly property?: number
  /** File for the HTML report. */
  readonly html?: string
}

export async function verifyCommand(
  folder: string | undefined,
  options: VerifyCommandOptions,
  io: Io,
): Promise<ExitCode> {
  if (folder !== undefined && options.conf !== undefined) {
    io.err('name a folder or --conf, not both')
    return exitCodes.wrongUse
  }
  const filter = options.property === undefined ? allProperties : onlyProperty(options.property)
  if (filter === undefined) {
    io.err(`there is no property ${options.property} to verify; these are:`)
    for (const { number: property, name, statement } of verifiedProperties)
      io.err(`  ${property}  ${name}: ${statement}`)
    return exitCodes.wrongUse
  }
  const where = options.conf === undefined ? inFolder(resolve(io.cwd, folder ?? '.')) : { file: options.conf }
  const loaded = loadConfig({ ...where, environment: io.environment, cwd: io.cwd })
  if (loaded.origin === 'missing') {
    for (const finding of loaded.findings) io.err(formatFinding(finding))
    return codeOfInvalidConfig(loaded)
  }
  const { findings } = await checkGateway(loaded, io.environment, Date.now())
  if (hasErrors(findings)) {
    for (const finding of findings) if (finding.severity === 'error') io.err(formatFinding(finding))
    io.err('nothing is verified before turnpike check finds no error')
    return exitCodes.found
  }
  const seedFile = loaded.config.seed === '' ? undefined : readSeed(loaded.config.seed)
  const seed = options.seed ?? Math.floor(Math.random() * 1_000_000)
  const report = await verifyGateway({
    loaded,
    environment: io.environment,
    seedFile: seedFile !== undefined && 'seed' in seedFile ? seedFile.seed : undefined,
    seed,
    milliseconds: (options.seconds ?? 10) * 1000,
    filter,
    warnings: options.property === undefined,
    now: () => performance.now(),
    today: Date.now(),
    findings,
    onProgress: makeProgress(io),
  })
  return show(report, loaded.file, againOf(folder, options), options, io)
}

/** The command line that reproduces the report, without its seed. */
function againOf(folder: string | undefined, { conf, property }: VerifyCommandOptions): string {
  const where = conf === undefined ? (folder ?? '.') : `--conf ${conf}`
  return `turnpike verify ${where}${property === undefined ? '' : ` --property ${property}`}`
}

/** Prints the report, and writes the files that the options name. */
function show(
  report: VerifyReport,
  configFile: string | undefined,
  again: string,
  options: VerifyCommandOptions,
  io: Io,
): ExitCode {
  if (options.html !== undefined) {
    const file = resolve(io.cwd, options.html)
    try {
      writeFileSync(file, verifyPage(report, again))
    } catch (cause) {
      io.err(`the page cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
      return exitCodes.wrongUse
    }
  }
  if (options.json === true) io.out(JSON.stringify(toJsonReport(report), null, 2))
  else for (const line of verifyLines(report, again, (file) => shortName(file, io.cwd))) io.out(line)
  const problem = writeReports(toCiReport(report, again, configFile), options, {
    cwd: io.cwd,
    environment: io.environment,
    // Standard output holds JSON only.
    print: options.json === true ? io.err : io.out,
  })
  if (problem !== undefined) {
    io.err(`error: ${problem}`)
    return exitCodes.wrongUse
  }
  return outcomeOf(report) === 'verified' ? exitCodes.fine : exitCodes.found
}

function shortName(file: string, cwd: string): string {
  const short = relative(cwd, file)
  return short.startsWith('..') ? file : short
}

/** Prints a progress line at intervals, more often on a terminal. */
function makeProgress(io: Io): (progress: Progress) => void {
  const pauseMs = io.isTerminal ? 1000 : 5000
  let last = performance.now()
  return ({ traces, requests, isShrinking }) => {
    if (performance.now() - last < pauseMs) return
    last = performance.now()
    io.err(
      isShrinking
        ? 'a guarantee is broken; shrinking the trace that shows it'
        : `${number(traces)} traces, ${number(requests)} requests, all guarantees kept so far`,
    )
  }
}
