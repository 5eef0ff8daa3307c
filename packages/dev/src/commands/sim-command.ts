/**
 * `turnpike sim`: runs a scenario of several nodes with failures many times and prints the shortest failing history.
 */
import { readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type RunOptions,
  readScenario,
  runScenario,
  type ScenarioProgress,
  type ScenarioReport,
  type ScenarioStore,
  showPlan,
  timelineOf,
} from '@turnpike/cluster-sim'
import {
  codeOfInvalidConfig,
  configErrors,
  type ExitCode,
  exitCodes,
  findMissingConfig,
  type Io,
  loadConfig,
  readSeed,
} from 'turnpike/embedding'
import { parse as parseYaml, YAMLParseError } from 'yaml'

export interface SimOptions {
  /** Configuration whose keys are simulated if no file is named. */
  readonly conf?: string
  readonly seed?: number
  readonly runs?: number
  /** Overrides the store of the scenario. */
  readonly store?: ScenarioStore
  readonly json?: boolean
}

export async function simCommand(given: string | undefined, options: SimOptions, io: Io): Promise<ExitCode> {
  const read = given === undefined ? await readGateway(options, io) : await readFile(resolve(io.cwd, given))
  const file = given ?? 'gateway'
  if ('problem' in read) {
    io.err(given === undefined ? read.problem : `${file}: ${read.problem}`)
    return read.code ?? exitCodes.wrongUse
  }
  const { scenario, problems } = readScenario(read.data)
  if (scenario === undefined) {
    for (const { field, message } of problems) io.err(`${file}: ${field === '' ? '' : `${field}: `}${message}`)
    return exitCodes.wrongUse
  }
  const runs = options.runs ?? 100
  const name = options.store ?? scenario.store
  const store = await openStore(name)
  if ('problem' in store) {
    io.err(`${file}: store: ${store.problem}; or take the store "memory"`)
    return exitCodes.wrongUse
  }
  const report = await runScenario(scenario, {
    ...store,
    runs,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    onProgress: makeProgress(io),
  })
  const source = given ?? (options.conf === undefined ? '' : `--conf ${options.conf}`)
  const again = `${source}${options.store === undefined ? '' : ` --store ${options.store}`}`.trim()
  if (options.json === true) io.out(JSON.stringify({ scenario: scenario.name, store: name, ...report }, null, 2))
  else for (const line of reportLines(report, name, again)) io.out(line)
  return report.holds ? exitCodes.fine : exitCodes.found
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

type ReadFile = { readonly data: unknown } | { readonly problem: string; readonly code?: ExitCode }

/** Makes a scenario of the keys of the configuration, and prints their limits. */
async function readGateway({ conf }: SimOptions, io: Io): Promise<ReadFile> {
  const loaded = loadConfig({ file: conf, environment: io.environment, cwd: io.cwd })
  const missing = findMissingConfig(loaded, io.cwd)
  if (missing !== undefined) return { problem: `error: ${missing}, or name a scenario: turnpike sim FILE` }
  const errors = configErrors(loaded)
  if (errors.length > 0) return { problem: errors.join('\n'), code: codeOfInvalidConfig(loaded) }
  const seed = loaded.config.seed === '' ? undefined : readSeed(loaded.config.seed)
  if (seed !== undefined && 'problem' in seed) return { problem: `error: ${seed.problem}`, code: exitCodes.found }
  const { scenarioOfGateway } = await import('../sim/scenario-of-gateway.ts')
  const made = await scenarioOfGateway(loaded, io.environment, seed?.seed)
  if (made === undefined) {
    return { problem: 'error: no policy and no key of the seed file has a limit, so there is nothing to simulate' }
  }
  for (const line of made.lines) io.err(`simulates ${line}`)
  return { data: made.scenario }
}

/** Reads YAML, JSON (a subset of YAML), or a module whose default export is the scenario. */
async function readFile(path: string): Promise<ReadFile> {
  try {
    if (/^\.[cm]?[jt]s$/.test(extname(path))) {
      const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
      if (module.default === undefined) return { problem: 'has no default export: export the scenario as default' }
      return { data: module.default }
    }
    return { data: parseYaml(readFileSync(path, 'utf8')) as unknown }
  } catch (cause) {
    if (cause instanceof YAMLParseError) return { problem: cause.message }
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return { problem: 'there is no such file' }
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      return {
        problem: `Node ${process.versions.node} does not read TypeScript: use 22.18 or later, or YAML, JSON or .mjs`,
      }
    }
    return { problem: message }
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
        : `broken; made short: ${progress.steps} steps left after ${progress.runs} runs`,
    )
  }
}

/** `again` is the command line that reproduces the scenario. */
function reportLines(report: ScenarioReport, store: ScenarioStore, again: string): string[] {
  if (report.holds) {
    return [`holds: ${report.runs} runs, ${report.requests} requests (${report.checks.join(', ')})`]
  }
  const { violation, plan, history, seed, runs } = report
  return [
    `broken in run ${runs} (${violation.check}): ${violation.message}`,
    '',
    'the shortest schedule that breaks it:',
    `${showPlan(plan).split('\n')[0] ?? ''}${store === 'memory' ? '' : `, the store is ${store}`}`,
    timelineOf(history),
    '',
    `again: turnpike sim ${again === '' ? '' : `${again} `}--seed ${seed} --runs 1`,
  ]
}
