/**
 * `turnpike bench`: measures the user's definitions (stages, batches, reloads) and compares the result with an
 * earlier one.
 */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  codeOfInvalidConfig,
  type ExitCode,
  exitCodes,
  findFolderProblem,
  formatFinding,
  type Io,
  inFolder,
  type LoadedConfig,
  loadConfig,
} from 'turnpike/embedding'
import { makeBenchGateway } from '../bench/bench-gateway.ts'
import { benchInProcesses } from '../bench/bench-in-processes.ts'
import { benchLines } from '../bench/bench-lines.ts'
import { benchHtml } from '../bench/bench-page.ts'
import type { BenchReport } from '../bench/bench-report.ts'
import { compareReports } from '../bench/compare-reports.ts'
import { type OwnRequest, readRequests } from '../bench/read-own-requests.ts'
import { readReport } from '../bench/read-report.ts'
import { expectApis, runBench, UnknownApi } from '../bench/run-bench.ts'
import { type Stopwatch, systemStopwatch } from '../bench/stopwatch.ts'
import { type Comparison, defaultTolerance, failureOf } from '../measurement/compare-values.ts'
import { comparisonLines } from '../measurement/comparison-lines.ts'
import { machineFacts } from '../measurement/machine-facts.ts'
import { findOutputProblem } from '../measurement/output-file.ts'
import { findJsonOutputProblem, isFolder } from './bench-files.ts'

export interface BenchCommandOptions {
  readonly conf?: string
  readonly api?: readonly string[]
  readonly requests?: string
  /** Number of new processes, run one after the other. */
  readonly processes?: number
  /** Number of rounds in each process. */
  readonly rounds?: number
  /** Milliseconds of each round for each API. */
  readonly time?: number
  /** Requests of a round; default: as many as fit in `time`. */
  readonly perRound?: number
  /** Delays of the upstream for batches. */
  readonly upstreamMs?: readonly number[]
  readonly batchSizes?: readonly number[]
  /** Number of requests that are due around each reload, one per millisecond. */
  readonly probes?: number
  readonly compare?: string
  /** Percent; smaller changes do not count. */
  readonly tolerance?: number
  readonly html?: string
  /** A file for the result, or true to print it instead of the text. */
  readonly json?: boolean | string
}

const defaults = { processes: 3, rounds: 5, time: 50, upstreamMs: [5], batchSizes: [1, 10, 50], probes: 200 } as const

/** `stopwatch` defaults to the system clock; tests pass one that only advances on request. */
export async function benchCommand(
  folder: string | undefined,
  given: BenchCommandOptions,
  io: Io,
  stopwatch: Stopwatch = systemStopwatch,
): Promise<ExitCode> {
  const inputs = readInputs(folder, given, io)
  if ('problem' in inputs) {
    io.err(inputs.problem)
    return exitCodes.wrongUse
  }
  const { options, loaded, earlier } = inputs
  if (!loaded.usable) {
    for (const finding of loaded.findings) if (finding.severity === 'error') io.err(formatFinding(finding))
    return codeOfInvalidConfig(loaded)
  }
  const noFolder = findFolderProblem(loaded.config.appPath)
  if (noFolder !== undefined) {
    io.err(`error: ${noFolder}`)
    return exitCodes.found
  }
  let report: BenchReport
  try {
    report = await measure(inputs, io, stopwatch)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // The parent process reports the error; a child process must not repeat it.
    io.err(reason.startsWith('error: ') ? reason : `error: ${reason}`)
    return cause instanceof UnknownApi ? exitCodes.wrongUse : exitCodes.found
  }
  const tolerance = options.tolerance === undefined ? defaultTolerance : options.tolerance / 100
  const comparison = earlier === undefined ? undefined : compareReports(earlier, report, tolerance)
  print(report, comparison, options, io)
  return writeFiles(report, comparison, options, io) ?? codeOf(comparison, io)
}

async function measure(inputs: Inputs, io: Io, stopwatch: Stopwatch): Promise<BenchReport> {
  const { folder, options, loaded, requests } = inputs
  const processes = stopwatch === systemStopwatch ? (options.processes ?? defaults.processes) : 1
  if (processes === 1) return benchHere(loaded, requests, options, io, stopwatch)
  const wanted = [...(options.api ?? []), ...requests.map(({ api }) => api)]
  if (wanted.length > 0) await expectLoadedApis(loaded, wanted, io)
  const machine = machineFacts()
  const report = await benchInProcesses(processes, argsOf(folder, options), io, (text) => io.err(text))
  // The later processes measure the load that the earlier ones cause.
  return { ...report, machine }
}

/** Throws `UnknownApi` before the measurement if an API is not loaded. */
async function expectLoadedApis(loaded: LoadedConfig, wanted: readonly string[], io: Io): Promise<void> {
  const { gateway, close } = await makeBenchGateway(loaded, io.environment)
  try {
    await gateway.reload()
    expectApis(gateway.apis(), wanted)
  } finally {
    await close()
  }
}

async function benchHere(
  loaded: LoadedConfig,
  requests: readonly OwnRequest[],
  options: BenchCommandOptions,
  io: Io,
  stopwatch: Stopwatch,
): Promise<BenchReport> {
  const machine = machineFacts()
  const bench = await makeBenchGateway(loaded, io.environment)
  const { api: apis = [], time: timeMs, ...effort } = { ...defaults, ...options }
  const { batch, vendor } = loaded.config
  try {
    return await runBench(
      { ...bench, stopwatch },
      {
        ...effort,
        timeMs,
        apis,
        requests,
        batchConcurrency: batch.maxConcurrency,
        vendor: vendor.toLowerCase(),
        machine,
      },
      (text) => io.err(text),
    )
  } finally {
    await bench.close()
  }
}

/** Returns the command line of a child process: the options for measuring, without those for reporting. */
function argsOf(folder: string | undefined, options: BenchCommandOptions): string[] {
  const { conf, api = [], requests, rounds, time, upstreamMs, batchSizes } = options
  const given = { conf, requests, rounds, time, 'upstream-ms': upstreamMs, 'batch-sizes': batchSizes }
  return [
    ...(folder === undefined ? [] : [folder]),
    ...api.flatMap((id) => ['--api', id]),
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
  ]
}

function print(
  report: BenchReport,
  comparison: Comparison | undefined,
  { json, compare = '' }: BenchCommandOptions,
  io: Io,
): void {
  if (json === true) io.out(toJson(report, comparison))
  else {
    const compared = comparison === undefined ? [] : ['', ...comparisonLines(comparison, compare)]
    for (const line of [...benchLines(report), ...compared]) io.out(line)
  }
}

function toJson(report: BenchReport, comparison: Comparison | undefined): string {
  return JSON.stringify(comparison === undefined ? report : { ...report, comparison }, null, 1)
}

/** Writes the JSON file and the page. Returns an exit code if that fails. */
function writeFiles(
  report: BenchReport,
  comparison: Comparison | undefined,
  { json, html }: BenchCommandOptions,
  io: Io,
): ExitCode | undefined {
  const outputs = [
    {
      option: '--json',
      file: typeof json === 'string' ? json : undefined,
      text: () => `${toJson(report, comparison)}\n`,
    },
    { option: '--html', file: html, text: () => benchHtml(report, comparison) },
  ]
  for (const { option, file, text } of outputs) {
    if (file === undefined) continue
    try {
      writeFileSync(resolve(io.cwd, file), text())
    } catch (cause) {
      io.err(`error: ${option} ${file}: cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
      return exitCodes.wrongUse
    }
    io.err(`written to ${file}`)
  }
  return undefined
}

function codeOf(comparison: Comparison | undefined, io: Io): ExitCode {
  const failure = comparison === undefined ? undefined : failureOf(comparison)
  if (failure === undefined) return exitCodes.fine
  io.err(`error: ${failure}`)
  return exitCodes.found
}

interface Inputs {
  readonly folder: string | undefined
  readonly options: BenchCommandOptions
  readonly loaded: LoadedConfig
  readonly earlier: BenchReport | undefined
  readonly requests: readonly OwnRequest[]
}

/** Reads all files that the options name, and checks those that the command will write. */
function readInputs(
  namedFolder: string | undefined,
  given: BenchCommandOptions,
  io: Io,
): Inputs | { readonly problem: string } {
  const { folder, options } = separateFolder(namedFolder, given, io.cwd)
  if (folder !== undefined && options.conf !== undefined) return { problem: 'name a folder or --conf, not both' }
  const problem = outputProblem(options, io.cwd)
  if (problem !== undefined) return { problem }
  let earlier: BenchReport | undefined
  if (options.compare !== undefined) {
    const read = readReport(resolve(io.cwd, options.compare))
    if ('problem' in read) return { problem: `${options.compare}: ${read.problem}` }
    earlier = read.report
  }
  let requests: readonly OwnRequest[] = []
  if (options.requests !== undefined) {
    const read = readRequests(resolve(io.cwd, options.requests))
    if ('problem' in read) return { problem: `${options.requests}: ${read.problem}` }
    requests = read.requests
  }
  const where = options.conf === undefined ? inFolder(resolve(io.cwd, folder ?? '.')) : { file: options.conf }
  const loaded = loadConfig({ ...where, environment: io.environment, cwd: io.cwd })
  return { folder, options, loaded, earlier, requests }
}

/** In `--json FOLDER` the word after the option is the folder of definitions: `--json` also has a form without a file. */
function separateFolder(folder: string | undefined, options: BenchCommandOptions, cwd: string) {
  const { json } = options
  if (folder !== undefined || typeof json !== 'string' || !isFolder(resolve(cwd, json))) return { folder, options }
  return { folder: json, options: { ...options, json: true } }
}

function outputProblem({ json, html }: BenchCommandOptions, cwd: string): string | undefined {
  const jsonProblem = typeof json === 'string' ? findJsonOutputProblem(resolve(cwd, json)) : undefined
  if (jsonProblem !== undefined) return `--json ${json}: ${jsonProblem}`
  const htmlProblem = html === undefined ? undefined : findOutputProblem(resolve(cwd, html))
  return htmlProblem === undefined ? undefined : `--html ${html}: ${htmlProblem}`
}
