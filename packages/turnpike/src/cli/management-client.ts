/** The management client for the gateway that a command calls. */
import { type Client, makeClient } from '@turnpike/client'
import { hasErrors } from '../config/finding.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { loadConfig } from '../config/load-config.ts'
import { codeOfInvalidConfig, configErrors } from './config-problem.ts'
import type { ExitCode, Io } from './io.ts'

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
  const url = (options.url ?? urlOf(loaded)).replace(/\/+$/, '')
  const client = makeClient({ url, secret: options.secret ?? config.secret, vendor: config.vendor })
  return { client, url, loaded }
}

function urlOf({ config }: LoadedConfig): string {
  const { listenAddress: address } = config
  const host = address === '' || address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  const port = config.controlApiPort > 0 ? config.controlApiPort : config.listenPort
  const scheme = config.httpServerOptions.useSsl ? 'https' : 'http'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
