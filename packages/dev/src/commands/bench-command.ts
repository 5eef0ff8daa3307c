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
import { benchHtml } from '../bench/bench-html.ts'
import { benchInProcesses } from '../bench/bench-in-processes.ts'
import { benchLines, comparisonLines } from '../bench/bench-lines.ts'
import type { BenchReport } from '../bench/bench-report.ts'
import { compareReports } from '../bench/compare-reports.ts'
import { readReport } from '../bench/read-report.ts'
import { type OwnRequest, readRequests } from '../bench/read-requests.ts'
import { runBench } from '../bench/run-bench.ts'
import { type Stopwatch, systemStopwatch } from '../bench/stopwatch.ts'

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
  readonly upstreamMs?: number
  /** Number of requests that are due around each reload, one per millisecond. */
  readonly probes?: number
  readonly compare?: string
  readonly html?: string
  readonly json?: boolean
}

const defaults = { processes: 3, rounds: 5, time: 50, upstreamMs: 5, probes: 200 } as const

/** `stopwatch` defaults to the system clock; tests pass one that only advances on request. */
export async function benchCommand(
  folder: string | undefined,
  options: BenchCommandOptions,
  io: Io,
  stopwatch: Stopwatch = systemStopwatch,
): Promise<ExitCode> {
  const wishes = readWishes(folder, options, io)
  if ('problem' in wishes) {
    io.err(wishes.problem)
    return exitCodes.wrongUse
  }
  const { loaded, earlier, requests } = wishes
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
    const processes = stopwatch === systemStopwatch ? (options.processes ?? defaults.processes) : 1
    report =
      processes > 1
        ? await benchInProcesses(processes, argsOf(folder, options), io, (text) => io.err(text))
        : await benchHere(loaded, requests, options, io, stopwatch)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // The parent process reports the error; a child process must not repeat it.
    io.err(reason.startsWith('error: ') ? reason : `error: ${reason}`)
    return exitCodes.found
  }
  const comparison = earlier === undefined ? undefined : compareReports(earlier, report)
  if (options.json === true)
    io.out(JSON.stringify(comparison === undefined ? report : { ...report, comparison }, null, 1))
  else for (const line of benchLines(report)) io.out(line)
  if (comparison !== undefined && options.json !== true) {
    for (const line of ['', ...comparisonLines(comparison, options.compare ?? '')]) io.out(line)
  }
  if (options.html !== undefined) {
    try {
      writeFileSync(resolve(io.cwd, options.html), benchHtml(report, comparison))
    } catch (cause) {
      io.err(`error: --html: the page cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
      return exitCodes.wrongUse
    }
    io.err(`written to ${options.html}`)
  }
  const slower = comparison?.changes.some(({ verdict }) => verdict === 'slower') ?? false
  return slower ? exitCodes.found : exitCodes.fine
}

async function benchHere(
  loaded: LoadedConfig,
  requests: readonly OwnRequest[],
  options: BenchCommandOptions,
  io: Io,
  stopwatch: Stopwatch,
): Promise<BenchReport> {
  const bench = await makeBenchGateway(loaded, io.environment)
  try {
    const wishes = {
      apis: options.api ?? [],
      requests,
      rounds: options.rounds ?? defaults.rounds,
      timeMs: options.time ?? defaults.time,
      ...(options.perRound === undefined ? {} : { perRound: options.perRound }),
      upstreamMs: options.upstreamMs ?? defaults.upstreamMs,
      probes: options.probes ?? defaults.probes,
      vendor: loaded.config.vendor.toLowerCase(),
    }
    return await runBench({ ...bench, stopwatch }, wishes, (text) => io.err(text))
  } finally {
    await bench.close()
  }
}

/** Returns the command line of a child process: the options for measuring, without those for reporting. */
function argsOf(folder: string | undefined, options: BenchCommandOptions): string[] {
  const { conf, api = [], requests, rounds, time, upstreamMs } = options
  const given = { conf, requests, rounds, time, 'upstream-ms': upstreamMs }
  return [
    ...(folder === undefined ? [] : [folder]),
    ...api.flatMap((id) => ['--api', id]),
    ...Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)])),
  ]
}

type Wishes =
  | { readonly problem: string }
  | {
      readonly loaded: LoadedConfig
      readonly earlier: BenchReport | undefined
      readonly requests: readonly OwnRequest[]
    }

function readWishes(folder: string | undefined, options: BenchCommandOptions, io: Io): Wishes {
  if (folder !== undefined && options.conf !== undefined) return { problem: 'name a folder or --conf, not both' }
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
  return {
    loaded: loadConfig({ ...where, environment: io.environment, cwd: io.cwd }),
    earlier,
    requests,
  }
}
