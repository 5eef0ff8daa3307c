/** Where the scenario of `turnpike sim` comes from: a file, one that this package ships, or the user's gateway alone. */
import { readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nearestName } from '@turnpike/core/lib'
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
import type { GatewaySubject } from './gateway-subject.ts'
import { readShippedScenario, scenarioNames } from './shipped-scenarios.ts'

export interface SourceOptions {
  readonly conf?: string
  /** Name of a scenario that the package ships. */
  readonly scenario?: string
}

export interface ScenarioSource {
  /** Names the scenario in messages. */
  readonly name: string
  readonly data: unknown
  /** The user's gateway; `undefined`: the scenario has keys of its own. */
  readonly gateway: GatewaySubject | undefined
}

export interface SourceProblem {
  readonly problem: string
  readonly code: ExitCode
}

/** Network errors, faults and a reload for a gateway without a scenario. */
const usualScenario = {
  name: 'the keys of this gateway',
  nodes: 3,
  network: { delay: ['1ms', '20ms'], loss: 0.01, doubling: 0.05, reordering: true },
  random: { partitions: 1, crashes: 1, store_outages: 1, clock_steps: 1, slow_disks: 1 },
  changes: [{ at: '12s', reload: 'group' }],
}

export async function readSource(
  file: string | undefined,
  { conf, scenario }: SourceOptions,
  io: Io,
): Promise<ScenarioSource | SourceProblem> {
  if (file !== undefined && scenario !== undefined)
    return wrong('error: name a file or a scenario with --scenario, not both')
  if (scenario !== undefined && !scenarioNames().includes(scenario)) {
    const near = nearestName(scenario, scenarioNames())
    const hint = near === undefined ? `there are ${scenarioNames().join(', ')}` : `did you mean ${near}?`
    return wrong(`error: there is no scenario ${scenario}; ${hint}`)
  }
  const read = file === undefined ? shipped(scenario) : await readFile(resolve(io.cwd, file))
  if ('problem' in read) return wrong(`${file}: ${read.problem}`)
  const named = file ?? scenario
  const name = named ?? 'gateway'
  const wantsGateway = conf !== undefined || (file === undefined && hasConfig(io))
  if (!wantsGateway && named !== undefined) return { name, data: read.data, gateway: undefined }
  const gateway = await readGateway(conf, io)
  if ('problem' in gateway) return gateway
  if (named !== undefined) io.err(`keys and load of ${name} are replaced by those of the gateway`)
  return { name, data: withoutKeys(read.data), gateway }
}

const wrong = (problem: string): SourceProblem => ({ problem, code: exitCodes.wrongUse })

const shipped = (scenario: string | undefined) => ({
  data: scenario === undefined ? usualScenario : readShippedScenario(scenario),
})

function hasConfig(io: Io): boolean {
  const loaded = loadConfig({ file: undefined, environment: io.environment, cwd: io.cwd })
  return findMissingConfig(loaded, io.cwd) === undefined
}

/** Loads the gateway of the configuration, and prints what is simulated and what is not. */
async function readGateway(conf: string | undefined, io: Io): Promise<GatewaySubject | SourceProblem> {
  const loaded = loadConfig({ file: conf, environment: io.environment, cwd: io.cwd })
  const missing = findMissingConfig(loaded, io.cwd)
  if (missing !== undefined) return wrong(`error: ${missing}, or name a scenario: turnpike sim FILE`)
  const errors = configErrors(loaded)
  if (errors.length > 0) return { problem: errors.join('\n'), code: codeOfInvalidConfig(loaded) }
  const seed = loaded.config.seed === '' ? undefined : readSeed(loaded.config.seed)
  if (seed !== undefined && 'problem' in seed) return { problem: `error: ${seed.problem}`, code: exitCodes.found }
  const { subjectOfGateway } = await import('./gateway-subject.ts')
  const subject = await subjectOfGateway(loaded, io.environment, seed?.seed)
  for (const { what, why } of subject.untried) io.err(`not simulated: ${what}: ${why}`)
  if (subject.callers.length === 0) {
    return wrong('error: no policy and no key of the seed file has a limit, so there is nothing to simulate')
  }
  for (const { name, targets } of subject.callers) {
    io.err(`simulates ${name}: ${targets.map(({ words }) => words).join(', ')}`)
  }
  for (const { words } of subject.subject.limits) io.err(`limit: ${words}`)
  return subject
}

/** Fields of a scenario that the gateway has itself. */
const ofGateway = new Set(['keys', 'policies', 'load', 'limiter'])

function withoutKeys(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  const { changes, ...rest } = data as { readonly changes?: readonly Readonly<Record<string, unknown>>[] }
  const kept = Object.fromEntries(Object.entries(rest).filter(([field]) => !ofGateway.has(field)))
  const reloads = (Array.isArray(changes) ? changes : []).flatMap(({ at, reload, on }) =>
    reload === undefined ? [] : [{ at, reload, ...(on === undefined ? {} : { on }) }],
  )
  return { ...kept, changes: reloads }
}

/** Reads YAML, JSON (a subset of YAML), or a module whose default export is the scenario. */
async function readFile(path: string): Promise<{ readonly data: unknown } | { readonly problem: string }> {
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
