/**
 * `turnpike start`: a gateway process. It listens first, so that health probes respond at once. It then loads the
 * definitions and prints the banner. It ends after SIGTERM or SIGINT, when running requests have finished.
 */

import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { LogFormat, PinoLog } from '@turnpike/adapters/log-pino'
import { documentWithReferences } from '@turnpike/core/definition'
import { seedFieldFindings } from '../check/check-seed.ts'
import { isLikeOriginal } from '../check/folder-finding.ts'
import { findForeignFiles } from '../check/foreign-files.ts'
import { formatFinding, hasErrors } from '../config/finding.ts'
import { findFolderProblem } from '../config/folder-problem.ts'
import { toDocument } from '../config/live-settings.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { isVendorNote } from '../config/recognise-vendor.ts'
import type { GatewayAddress } from '../gateway/gateway.ts'
import { type OpenedGateway, openGateway } from '../gateway/open-gateway.ts'
import { bannerLines } from '../start/banner.ts'
import { makeColours, wantsColour } from '../start/colours.ts'
import { shownTarget } from '../start/describe-api.ts'
import { type EchoServer, startEcho } from '../start/echo.ts'
import { freeDashboardPort } from '../start/free-dashboard-port.ts'
import { limitHeapGrowth } from '../start/limit-heap-growth.ts'
import { logLevelOf } from '../start/log-level.ts'
import { writePidFile } from '../start/pid-file.ts'
import { reloadOnChange, type WatchFacts } from '../start/reload-on-change.ts'
import { makeReloadReporter, placesOf } from '../start/report-reloads.ts'
import { makeReporter, type Reporter } from '../start/reporter.ts'
import { readSeed, type Seed, seedKeys } from '../start/seed.ts'
import type { ServedDocument } from '../start/start-document.ts'
import type { StartOptions } from '../start/start-options.ts'
import { commandName, quoted } from '../terminal/command-name.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { quietWorker, superviseStart } from '../workers/supervise-start.ts'
import { type WorkerRole, workerRole } from '../workers/worker-role.ts'
import { codeOfInvalidConfig, findMissingConfig } from './config-problem.ts'

/** `document`: file or URL of an OpenAPI document to serve in place of a configuration. */
export async function startCommand(document: string | undefined, options: StartOptions, io: Io): Promise<ExitCode> {
  const role = workerRole()
  const reporter = makeReporter(
    role === undefined || role.isFirst ? options : { ...options, ...quietWorker(options) },
    io,
  )
  const served = document === undefined ? undefined : await serveDocument(document, options, reporter, io)
  if (typeof served === 'number') return served
  const load = (file: string | undefined) =>
    loadConfig({
      ...(served === undefined ? { file } : { document: served.config }),
      environment: io.environment,
      flags: {
        ...{ port: options.port, debug: options.debug, workers: options.workers, profile: options.httpprofile },
        dataPath: options.dataPath,
      },
      cwd: io.cwd,
    })
  const loaded = load(options.conf)
  const missing = findMissingConfig(loaded, io.cwd)
  if (missing !== undefined) {
    reporter.fail(missing)
    return exitCodes.wrongUse
  }
  reporter.findings(loaded.findings)
  for (const finding of loaded.findings) if (isVendorNote(finding)) reporter.note(formatFinding(finding))
  if (hasErrors(loaded.findings)) return codeOfInvalidConfig(loaded)
  const seed = served ?? seedOf(loaded)
  const folderProblem = served === undefined ? findFolderProblem(loaded.config.appPath) : undefined
  const isHarmless = folderProblem !== undefined && startsWithoutFolder(loaded)
  if (isHarmless) reporter.warn(`${folderProblem}; there are no APIs`)
  const problem = 'problem' in seed ? seed.problem : isHarmless ? undefined : folderProblem
  if (problem !== undefined || 'problem' in seed) {
    reporter.fail(problem ?? '')
    return exitCodes.found
  }
  if (served === undefined && seed.seed !== undefined)
    reporter.findings(seedFieldFindings(seed.seed, loaded.config.seed))
  if (loaded.config.workers > 1 && role === undefined) {
    try {
      return await superviseStart(loaded, reporter, io)
    } catch (cause) {
      reporter.fail(failureOf(cause, loaded, io))
      return exitCodes.found
    }
  }
  limitHeapGrowth(process.execArgv)
  const log = await openLog(loaded, options, io)
  try {
    // Copied before the echo upstream replaces its port 0.
    const configDocument = toDocument(loaded.config)
    return await run({ options, io, loaded, load, configDocument, reporter, log, seed: seed.seed, role, served })
  } catch (cause) {
    reporter.fail(failureOf(cause, loaded, io))
    return exitCodes.found
  } finally {
    log.flush()
  }
}

/** The original gateway starts without its folder of definitions. */
function startsWithoutFolder(loaded: LoadedConfig): boolean {
  return !existsSync(loaded.config.appPath) && isLikeOriginal(loaded, 'does not exist')
}

const failureOf = (cause: unknown, loaded: LoadedConfig, io: Io) =>
  `${cause instanceof Error ? cause.message : String(cause)}${fixOf(cause, loaded, io)}`

/** The command that starts a second gateway beside the one that uses the data folder; empty for other errors. */
function fixOf(cause: unknown, { config }: LoadedConfig, io: Io): string {
  if (!(cause instanceof Error) || !('isInUse' in cause) || cause.isInUse !== true) return ''
  const isScript = io.environment.npm_lifecycle_event === 'start'
  const command = isScript ? 'npm start --' : `${commandName(io, io.cwd)} start`
  const folder = relative(io.cwd, `${config.dataPath}-2`)
  return `; to run a second gateway: ${command} --port 0 --data-path ${quoted(folder)}`
}

interface Run extends WatchFacts {
  readonly seed: Seed | undefined
  /** `undefined` if this is the only process. */
  readonly role: WorkerRole | undefined
  /** The OpenAPI document that is served in place of a folder. */
  readonly served: ServedDocument | undefined
}

/** Reads the document of the command line. Returns the exit code if it cannot be served. */
async function serveDocument(
  source: string,
  options: StartOptions,
  reporter: Reporter,
  io: Io,
): Promise<ServedDocument | ExitCode> {
  const conflicts = [
    ['--conf', options.conf !== undefined],
    ['--watch', options.watch === true],
    ['--workers', options.workers === 'max' || (options.workers ?? 1) > 1],
  ] as const
  const conflict = conflicts.find(([, isGiven]) => isGiven)
  if (conflict !== undefined) {
    reporter.fail(`${conflict[0]} does not go with a document; import it first: turnpike import ${source}`)
    return exitCodes.wrongUse
  }
  const { prepareDocument } = await import('../start/start-document.ts')
  const prepared = await prepareDocument(source, options, io.cwd)
  if (!('problem' in prepared)) {
    for (const line of prepared.lines) reporter.note(line)
    return prepared
  }
  reporter.fail(prepared.problem)
  return prepared.notFound ? exitCodes.wrongUse : exitCodes.found
}

async function run(facts: Run): Promise<ExitCode> {
  const { config } = facts.loaded
  // Started first, because definitions refer to its port.
  const echo =
    config.echo.enabled && facts.role?.isFirst !== false ? await startEcho(config.echo.listenPort) : undefined
  if (echo !== undefined) config.echo.listenPort = echo.port
  if (facts.options.port === 0 && facts.role === undefined) await freeDashboardPort(config)
  try {
    return await serve(facts, echo)
  } finally {
    await echo?.close()
  }
}

async function serve(facts: Run, echo: EchoServer | undefined): Promise<ExitCode> {
  const { options, io, loaded, reporter, log, seed, role, served } = facts
  const { config } = loaded
  const colours = makeColours(wantsColour(io.isTerminal, io.environment))
  const reloads = makeReloadReporter(reporter, placesOf(config, io.cwd), colours)
  const opened = await openGateway(
    // `openGateway` reads `app_path` only if the configuration is a file; with OMITCONFIGFILE it is not.
    {
      ...(served === undefined ? { definitions: config.appPath } : { served }),
      store: loaded.config.storage.type,
      log,
      environment: io.environment,
      observeRequests: reporter.requests,
      // At a terminal the reporter prints reloads, and the log would repeat them.
      logsReloads: !io.isTerminal || options.quiet === true || options.json === true,
      worker: await role?.join(),
    },
    loaded,
  )
  const { gateway } = opened
  const releases: (() => void)[] = []
  try {
    const stopped = new Promise<string>((resolve) => releases.push(io.onStop(resolve)))
    const failed = new Promise<undefined>((resolve) => releases.push(endAtBug(facts, resolve)))
    // Without a listener SIGHUP ends the process, also during the first load.
    const reloadAsked = () => void gateway.reload().then(reloads.asked, () => undefined)
    // The supervisor of workers gets the signal too, and reloads all of them.
    releases.push(io.onHangUp(role === undefined ? reloadAsked : () => undefined))
    if (role !== undefined) releases.push(role.onOrphaned(() => process.kill(process.pid, 'SIGTERM')))
    const isFirst = role?.isFirst !== false
    // Starts before the first load, so that no change during the load is missed. Each worker watches the files itself.
    if (options.watch ?? (io.isTerminal && served === undefined)) releases.push(await reloadOnChange(facts, opened))
    // A worker loads before it listens, because the kernel sends connections to every worker that listens. A single
    // process listens first, so that its probes respond at once.
    const loadedBefore = role === undefined ? undefined : await gateway.reload()
    const address = await gateway.listen()
    if (role === undefined) releases.push(writePidFile(config.pidFileLocation, log))
    // `listen` opens the ports of single APIs in a reload of its own; its report replaces the first one.
    const report = loadedBefore === undefined ? await gateway.reload() : (opened.engine.report() ?? loadedBefore)
    const seedProblems = seed === undefined || !isFirst ? [] : await seedKeys(seed, gateway, config)
    for (const text of seedProblems) reporter.warn(text)
    const signInUrl = printsSignInLink(loaded, options, io) ? await opened.signInUrl() : undefined
    reporter.started(
      startFacts(opened, address),
      bannerLines({ opened, address, loaded, seed, echo, signInUrl, io, served }),
    )
    reporter.served(gateway.apis())
    if (served === undefined) reporter.findings(findForeignFiles(config.appPath))
    reloads.started(report)
    releases.push(gateway.onReload(reloads.reloaded))
    if (reporter.requests) releases.push(gateway.onRequest((entry) => reporter.request(entry, gateway.apis())))
    role?.ready()
    releases.push(loadManagementLater(opened))
    const signal = await Promise.race([stopped, failed])
    if (signal === undefined) return exitCodes.found
    if (role === undefined)
      reporter.note(`${signal}: open requests have ${config.gracefulShutdownTimeoutDuration} s to finish`)
    return exitCodes.fine
  } finally {
    for (const release of releases) release()
    await gateway.close()
  }
}

/** Time for closing the store after open requests, before the process ends by force. */
const closeAllowanceMs = 5000

/**
 * The last line of defence: logs an exception that no code handles, and calls `onFirst`, so that the gateway finishes
 * open requests and ends. Nothing that a client, an upstream, a disk or Redis does leads here
 * (packages/turnpike/test/chaos.test.ts).
 */
function endAtBug({ io, loaded, log }: Run, onFirst: (none: undefined) => void): () => void {
  const graceMs = loaded.config.gracefulShutdownTimeoutDuration * 1000
  return io.onBug((cause) => {
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    log.error('a bug: nothing handled this error; the gateway finishes open requests and ends', { reason })
    onFirst(undefined)
    setTimeout(() => process.exit(exitCodes.found), graceMs + closeAllowanceMs).unref()
  })
}

/**
 * Loads the management API after a second. It blocks requests for about 40 ms, which should be neither those right
 * after the start nor those during the first management call. Returns a function that cancels it.
 */
function loadManagementLater({ loadManagement }: OpenedGateway): () => void {
  const timer = setTimeout(() => void loadManagement().catch(() => undefined), 1000)
  return () => clearTimeout(timer)
}

function seedOf({ config }: LoadedConfig): { readonly seed: Seed | undefined } | { readonly problem: string } {
  return config.seed === '' ? { seed: undefined } : readSeed(config.seed)
}

async function openLog({ config }: LoadedConfig, options: StartOptions, io: Io): Promise<PinoLog> {
  const { makePinoLog } = await import('@turnpike/adapters/log-pino')
  const format: LogFormat = config.logFormat === 'json' ? 'json' : 'standard'
  const colour = wantsColour(process.stderr.isTTY === true, io.environment)
  return makePinoLog({ level: logLevelOf(config, options, io), format, colour })
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

/** The banner is not printed with `--json` or `--quiet`. Output that is not a terminal is often a log file. */
function printsSignInLink({ config }: LoadedConfig, { json, quiet }: StartOptions, { isTerminal }: Io): boolean {
  if (json === true || quiet === true) return false
  const { signInLink } = config.dashboard
  return signInLink === 'always' || (signInLink === 'terminal' && isTerminal)
}
