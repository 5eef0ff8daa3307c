/**
 * A gateway in your own process: `createGateway` gives one that has loaded its definitions and answers `inject` at
 * once; `listen` opens its port. Without a configuration it keeps everything in memory and leaves nothing behind.
 */
import { formatFinding } from '../config/finding.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { openGateway } from './open-gateway.ts'
import { wireLog } from './wire-log.ts'

/**
 * Makes a gateway and loads its definitions and policies.
 * Rejects with `ConfigError` when the configuration cannot be used. A broken definition does not reject: it is left
 * out and told by `onReload` and the log, as in a running gateway.
 */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { config = {}, vendor, environment = {} } = options
  const loaded = loadConfig({
    // What is made in code is reached from this machine alone, unless it says otherwise.
    ...(typeof config === 'string' ? { file: config } : { document: { listen_address: '127.0.0.1', ...config } }),
    environment,
    cwd: process.cwd(),
    flags: { vendor },
  })
  const log = await wireLog(options.log)
  for (const finding of loaded.findings) {
    if (finding.severity === 'warning') log.warn(formatFinding(finding))
  }
  const { gateway } = await openGateway({ ...options, log }, loaded)
  try {
    await gateway.reload()
  } catch (cause) {
    await gateway.close(0)
    throw cause
  }
  return gateway
}
