/** The public entry point of the package. */
import { makeNote } from '@turnpike/core/definition'
import { formatFinding } from '../config/finding.ts'
import { findFolderProblem } from '../config/folder-problem.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { openGateway } from './open-gateway.ts'
import { checkGatewayOptions, rejectBrokenDocuments } from './options/check-gateway-options.ts'
import { OptionError } from './options/option-error.ts'
import { wireLog } from './wire-log.ts'

/**
 * Creates a gateway and loads its definitions and policies. `inject` works at once; `listen` opens the port.
 *
 * Without a configuration, all state is in memory, and the profile is "modern". Rejects with `OptionError` if an option is unknown or wrong, or if a
 * definition or policy that is passed as an object cannot be loaded, and with `ConfigError` if the configuration is
 * invalid. A broken definition of a folder or a function does not reject: the gateway skips it and reports it to the
 * log and to `onReload`. No file is written.
 */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  checkGatewayOptions(options)
  const { vendor, environment = {} } = options
  // What nobody has run before has no clients that know the recorded behaviour.
  const config = options.config ?? { profile: 'modern' }
  const loaded = asOneProcess(
    loadConfig({
      // A gateway created in code is reachable from this machine only, unless its configuration sets another address.
      ...(typeof config === 'string' ? { file: config } : { document: { listen_address: '127.0.0.1', ...config } }),
      environment,
      cwd: process.cwd(),
      flags: { vendor },
    }),
  )
  checkAppPath(options, loaded)
  const log = await wireLog(options.log)
  for (const finding of loaded.findings) {
    if (finding.severity === 'warning') log.warn(formatFinding(finding))
  }
  const { gateway } = await openGateway({ ...options, log }, loaded)
  try {
    rejectBrokenDocuments(options, await gateway.reload())
  } catch (cause) {
    await gateway.close(0)
    throw cause
  }
  return gateway
}

/** A gateway in a program is one process. */
function asOneProcess(loaded: LoadedConfig): LoadedConfig {
  const { workers } = loaded.config
  if (workers <= 1) return loaded
  const { path, ...note } = makeNote('out-of-range', ['workers'], {
    problem: `a gateway in a program is one process, not ${workers}`,
    fix: 'start it with turnpike start, or set workers to 1',
  })
  const finding = { ...note, source: 'config', field: path.join('.') }
  return { ...loaded, usable: false, findings: [...loaded.findings, finding] }
}

/** The folder of a configuration file, if the options name no other source of definitions. */
function checkAppPath({ definitions }: GatewayOptions, { file, config, usable }: LoadedConfig): void {
  if (definitions !== undefined || file === undefined || !usable) return
  const problem = findFolderProblem(config.appPath)
  if (problem !== undefined) throw new OptionError('config', `createGateway: ${problem}`)
}
