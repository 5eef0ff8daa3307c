/** The management client for the gateway that a command calls. */
import { type Client, makeClient } from '../client/index.ts'
import { hasErrors } from '../config/finding.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { urlOf } from '../gateway/gateway-ports.ts'
import type { ExitCode, Io } from '../terminal/io.ts'
import { codeOfInvalidConfig, configErrors } from './config-problem.ts'

export interface TargetOptions {
  readonly conf?: string
  readonly url?: string
  readonly secret?: string
}

/** Finds address and management key by options and configuration. Returns problems if the configuration is invalid. */
export function findGateway(
  options: TargetOptions,
  io: Io,
): { client: Client; url: string; loaded: LoadedConfig } | { problems: string[]; code: ExitCode } {
  const loaded = loadConfig({ file: options.conf, environment: io.environment, cwd: io.cwd })
  if (hasErrors(loaded.findings)) return { problems: configErrors(loaded), code: codeOfInvalidConfig(loaded) }
  const { config } = loaded
  const url = (options.url ?? addressOf(loaded)).replace(/(?<!\/)\/+$/, '')
  const client = makeClient({ url, secret: options.secret ?? config.secret, vendor: config.vendor })
  return { client, url, loaded }
}

function addressOf({ config }: LoadedConfig): string {
  const port = config.controlApiPort > 0 ? config.controlApiPort : config.listenPort
  return urlOf(config.listenAddress, port, config.httpServerOptions.useSsl)
}
