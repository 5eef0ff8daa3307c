/**
 * `turnpike sim`: runs a scenario of several nodes with failures many times, and prints what each node did, or the
 * shortest failing history.
 */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type RunOptions,
  readScenario,
  runScenario,
  type Scenario,
  type ScenarioProgress,
  type ScenarioReport,
  type ScenarioStore,
} from '@turnpike/cluster-sim'
import { type ReportOptions, writeReports } from '@turnpike/reports'
import { type ExitCode, exitCodes, type Io } from 'turnpike/embedding'
import { simPage } from '../sim/html/sim-page.ts'
import { readSource, type ScenarioSource } from '../sim/scenario-source.ts'
import { scenarioLines } from '../sim/shipped-scenarios.ts'
import { toCiReport } from '../sim/sim-ci-report.ts'
import { toJsonReport } from '../sim/sim-json-report.ts'
import { simLines } from '../sim/sim-lines.ts'

export interface SimOptions extends ReportOptions {
  /** Configuration of the gateway that is simulated. */
  readonly conf?: string
  /** A scenario that the package ships. */
  readonly scenario?: string
  /** Prints the scenarios that the package ships, and runs none. */
  readonly listScenarios?: boolean
  readonly seed?: number
  readonly runs?: number
  /** Overrides the store of the scenario. */
  readonly store?: ScenarioStore
  readonly json?: boolean
  /** File for the HTML report. */
  readonly html?: string
}

/** `file`: the scenario. Without one, and without `options.scenario`, the gateway of the configuration is simulated. */
export async function simCommand(file: string | undefined, options: SimOptions, io: Io): Promise<ExitCode> {
  if (options.listScenarios === true) {
    for (const line of scenarioLines()) io.out(line)
    return exitCodes.fine
  }
  const source = await readSource(file, options, io)
  if ('problem' in source) {
    io.err(source.problem)
    return source.code
  }
  const { scenario, problems } = readScenario(withStore(source.data, options.store), source.gateway === undefined)
  if (scenario === undefined) {
    for (const { field, message } of problems) io.err(`${source.name}: ${field === '' ? '' : `${field}: `}${message}`)
    return exitCodes.wrongUse
  }
  const store = await openStore(scenario.store)
  if ('problem' in store) {
    io.err(`${source.name}: store: ${store.problem}; or take the store "memory"`)
    return exitCodes.wrongUse
  }
  const report = await runScenario(scenario, {
    ...store,
    ...(source.gateway === undefined ? {} : { subject: source.gateway.subject }),
    runs: options.runs ?? 100,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    onProgress: makeProgress(io),
  })
  return show(report, scenario, { ...source, file }, againOf(file, options, report.seed), options, io)
}

/** Prints the report, and writes the page if one is wanted. */
function show(
  report: ScenarioReport,
  { name, about, store }: Scenario,
  { name: sourceName, gateway, file }: ScenarioSource & { readonly file: string | undefined },
  again: string,
  options: SimOptions,
  io: Io,
): ExitCode {
  const untried = gateway?.untried ?? []
  if (options.json === true) io.out(JSON.stringify(toJsonReport(name, store, report, gateway?.untried), null, 2))
  else for (const line of simLines(report, store, again)) io.out(line)
  if (options.html !== undefined) {
    try {
      writeFileSync(resolve(io.cwd, options.html), simPage({ name, about, report, untried, again }))
    } catch (cause) {
      io.err(`error: --html ${options.html}: ${cause instanceof Error ? cause.message : String(cause)}`)
      return exitCodes.wrongUse
    }
  }
  const neutral = toCiReport(report, { scenario: name === '' ? sourceName : name, file, again })
  const { cwd, environment } = io
  // Standard output holds JSON only.
  const problem = writeReports(neutral, options, { cwd, environment, print: options.json === true ? io.err : io.out })
  if (problem !== undefined) {
    io.err(`error: ${problem}`)
    return exitCodes.wrongUse
  }
  return report.holds ? exitCodes.fine : exitCodes.found
}

/** The command line that repeats the run with this seed. */
function againOf(file: string | undefined, { conf, scenario, store }: SimOptions, seed: number): string {
  const parts = [
    'turnpike sim',
    ...(file === undefined ? [] : [file]),
    ...(scenario === undefined ? [] : [`--scenario ${scenario}`]),
    ...(conf === undefined ? [] : [`--conf ${conf}`]),
    ...(store === undefined ? [] : [`--store ${store}`]),
    `--seed ${seed} --runs 1`,
  ]
  return parts.join(' ')
}

function withStore(data: unknown, store: ScenarioStore | undefined): unknown {
  return store === undefined || typeof data !== 'object' || data === null ? data : { ...data, store }
}

/** Returns the settings of a run for the store with this name. */
async function openStore(name: ScenarioStore): Promise<Pick<RunOptions, 'makeServer'> | { readonly problem: string }> {
  if (name === 'memory') return {}
  const { loadRedisMock, redisMockServer } = await import('@turnpike/cluster-sim/redis-mock')
  try {
    return { makeServer: redisMockServer(await loadRedisMock()) }
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** Prints a progress line at intervals, more often on a terminal. */
function makeProgress(io: Io): (progress: ScenarioProgress) => void {
  const pauseMs = io.isTerminal ? 500 : 5_000
  let last = Date.now()
  return (progress) => {
    if (Date.now() - last < pauseMs) return
    last = Date.now()
    io.err(
      progress.kind === 'run'
        ? `run ${progress.done} of ${progress.of}, ${progress.requests} requests`
        : `broken; shrinking: ${progress.steps} steps left after ${progress.runs} runs`,
    )
  }
}
