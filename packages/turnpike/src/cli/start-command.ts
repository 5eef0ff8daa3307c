/**
 * `turnpike start`: a gateway process. It listens first, so that health probes respond at once. It then loads the
 * definitions and prints the banner. It ends after SIGTERM or SIGINT, when running requests have finished.
 */

import type { LogFormat, LogLevel, PinoLog } from '@turnpike/adapters/log-pino'
import { documentWithReferences, vendorForms } from '@turnpike/core'
import { hasErrors } from '../config/finding.ts'
import { sampleSecret } from '../config/keys/server-keys.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import type { GatewayAddress } from '../gateway/gateway.ts'
import { type OpenedGateway, openGateway } from '../gateway/open-gateway.ts'
import { bannerLines } from '../start/banner.ts'
import { shownTarget } from '../start/describe-api.ts'
import { type EchoServer, startEcho } from '../start/echo.ts'
import { findFolderProblem } from '../start/folder-problem.ts'
import { writePidFile } from '../start/pid-file.ts'
import { makeReporter, type Reporter } from '../start/reporter.ts'
import { readSeed, type Seed, seedKeys, tourLines } from '../start/seed.ts'
import { watchSource } from '../start/watch-source.ts'
import { quietWorker, superviseStart } from '../workers/supervise-start.ts'
import { type WorkerRole, workerRole } from '../workers/worker-role.ts'
import { codeOfInvalidConfig, findMissingConfig } from './config-problem.ts'
import { type ExitCode, exitCodes, type Io } from './io.ts'
import type { StartOptions } from './start-options.ts'

export async function startCommand(options: StartOptions, io: Io): Promise<ExitCode> {
  const role = workerRole()
  const reporter = makeReporter(
    role === undefined || role.isFirst ? options : { ...options, ...quietWorker(options) },
    io,
  )
  const loaded = loadConfig({
    file: options.conf,
    environment: io.environment,
    flags: { port: options.port, debug: options.debug, workers: options.workers, profile: options.httpprofile },
    cwd: io.cwd,
  })
  const missing = findMissingConfig(loaded, io.cwd)
  if (missing !== undefined) {
    reporter.fail(missing)
    return exitCodes.wrongUse
  }
  reporter.findings(loaded.findings)
  if (hasErrors(loaded.findings)) return codeOfInvalidConfig(loaded)
  const seed = seedOf(loaded)
  const problem = 'problem' in seed ? seed.problem : findFolderProblem(loaded.config.appPath)
  if (problem !== undefined || 'problem' in seed) {
    reporter.fail(problem ?? '')
    return exitCodes.found
  }
  if (loaded.config.workers > 1 && role === undefined) return superviseStart(loaded, reporter, io)
  const log = await openLog(loaded, options, io)
  try {
    return await run({ options, io, loaded, reporter, log, seed: seed.seed, role })
  } catch (cause) {
    reporter.fail(cause instanceof Error ? cause.message : String(cause))
    return exitCodes.found
  } finally {
    log.flush()
  }
}

interface Run {
  readonly options: StartOptions
  readonly io: Io
  readonly loaded: LoadedConfig
  readonly reporter: Reporter
  readonly log: PinoLog
  readonly seed: Seed | undefined
  /** `undefined` if this is the only process. */
  readonly role: WorkerRole | undefined
}

async function run(facts: Run): Promise<ExitCode> {
  const { config } = facts.loaded
  // Started first, because definitions refer to its port.
  const echo =
    config.echo.enabled && facts.role?.isFirst !== false ? await startEcho(config.echo.listenPort) : undefined
  if (echo !== undefined) config.echo.listenPort = echo.port
  try {
    return await serve(facts, echo)
  } finally {
    await echo?.close()
  }
}

async function serve(
  { options, io, loaded, reporter, log, seed, role }: Run,
  echo: EchoServer | undefined,
): Promise<ExitCode> {
  const { config } = loaded
  const opened = await openGateway(
    // `openGateway` reads `app_path` only if the configuration is a file; with OMITCONFIGFILE it is not.
    {
      definitions: config.appPath,
      store: loaded.config.storage.type,
      log,
      environment: io.environment,
      observeRequests: reporter.requests,
    },
    loaded,
  )
  const { gateway } = opened
  const releases: (() => void)[] = []
  try {
    const stopped = new Promise<string>((resolve) => releases.push(io.onStop(resolve)))
    // Without a listener SIGHUP ends the process, also during the first load.
    releases.push(io.onHangUp(() => void gateway.reload()))
    if (role !== undefined) releases.push(role.onOrphaned(() => process.kill(process.pid, 'SIGTERM')))
    const isFirst = role?.isFirst !== false
    // Starts before the first load, so that no change during the load is missed. Each worker watches the folder itself.
    if (options.watch ?? io.isTerminal) releases.push(watchSource(opened.source, gateway, log))
    // A worker loads before it listens, because the kernel sends connections to every worker that listens. A single
    // process listens first, so that its probes respond at once.
    const loadedBefore = role === undefined ? undefined : await gateway.reload()
    const address = await gateway.listen()
    if (role === undefined) releases.push(writePidFile(config.pidFileLocation, log))
    // `listen` opens the ports of single APIs in a reload of its own; its report replaces the first one.
    const report = loadedBefore === undefined ? await gateway.reload() : (opened.engine.report() ?? loadedBefore)
    const seedProblems = seed === undefined || !isFirst ? [] : await seedKeys(seed, gateway)
    for (const text of seedProblems) reporter.warn(text)
    const signInUrl = printsSignInLink(loaded, options, io) ? await opened.signInUrl() : undefined
    reporter.started(startFacts(opened, address), bannerOf({ opened, address, loaded, seed, echo, signInUrl }))
    reporter.served(gateway.apis())
    if (report.failed.length > 0 || report.renamed.length > 0 || report.policies.problem !== undefined) {
      reporter.reloaded(report)
    }
    releases.push(gateway.onReload((report) => reporter.reloaded(report)))
    if (reporter.requests) releases.push(gateway.onRequest((entry) => reporter.request(entry, gateway.apis())))
    role?.ready()
    const signal = await stopped
    if (role === undefined)
      reporter.note(`${signal}: open requests have ${config.gracefulShutdownTimeoutDuration} s to finish`)
    return exitCodes.fine
  } finally {
    for (const release of releases) release()
    await gateway.close()
  }
}

function seedOf({ config }: LoadedConfig): { readonly seed: Seed | undefined } | { readonly problem: string } {
  return config.seed === '' ? { seed: undefined } : readSeed(config.seed)
}

/**
 * At a terminal the reporter prints starts and reloads, so the default log level is `warn` there. With `--quiet` it is
 * `error`. A configured level other than the default takes precedence.
 */
async function openLog({ config }: LoadedConfig, options: StartOptions, io: Io): Promise<PinoLog> {
  const { makePinoLog } = await import('@turnpike/adapters/log-pino')
  const format: LogFormat = config.logFormat === 'json' ? 'json' : 'standard'
  const byDefault: LogLevel = options.quiet === true ? 'error' : io.isTerminal ? 'warn' : 'info'
  const level: LogLevel = config.logLevel === 'info' ? byDefault : config.logLevel
  return makePinoLog({ level, format })
}

function startFacts({ gateway }: OpenedGateway, address: GatewayAddress) {
  const { url, controlUrl, dashboardUrl, frontEnd } = address
  const apis = gateway.apis().map((api) => ({
    id: api.id,
    name: api.name,
    listenPath: api.listenPath,
    ...(api.port === 0 ? {} : { port: api.port, protocol: api.protocol }),
    target: shownTarget(documentWithReferences(api).proxy.targetUrl),
  }))
  return { url, controlUrl, dashboardUrl, frontEnd, apis }
}

/** Management keys that samples in public repositories use. Every other one is never printed. */
function isPublicSecret(secret: string): boolean {
  return secret === sampleSecret || secret === 'local-development-key'
}

/** The banner is not printed with `--json` or `--quiet`. Output that is not a terminal is often a log file. */
function printsSignInLink({ config }: LoadedConfig, { json, quiet }: StartOptions, { isTerminal }: Io): boolean {
  if (json === true || quiet === true) return false
  const { signInLink } = config.dashboard
  return signInLink === 'always' || (signInLink === 'terminal' && isTerminal)
}

interface BannerInput {
  readonly opened: OpenedGateway
  readonly address: GatewayAddress
  readonly loaded: LoadedConfig
  readonly seed: Seed | undefined
  readonly echo: EchoServer | undefined
  readonly signInUrl: string | undefined
}

function bannerOf({ opened, address, loaded, seed, echo, signInUrl }: BannerInput): string[] {
  const { config } = loaded
  const vendor = vendorForms(config.vendor)
  return bannerLines({
    address,
    apis: opened.gateway.apis(),
    store: opened.storeDescription,
    secretHeader: `X-${vendor.title}-Authorization`,
    docsUrl: config.docs.enabled ? `${address.controlUrl}/${vendor.lower}/docs` : undefined,
    echoUrl: echo?.url,
    signInUrl,
    shownSecret: isPublicSecret(config.secret) ? config.secret : undefined,
    tour:
      seed === undefined
        ? []
        : tourLines(seed, { url: address.url, secret: isPublicSecret(config.secret) ? config.secret : 'YOUR-SECRET' }),
  })
}
