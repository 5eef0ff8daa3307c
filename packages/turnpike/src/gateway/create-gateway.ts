/** The public entry point of the package. */
import { formatFinding } from '../config/finding.ts'
import { loadConfig } from '../config/load-config.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { openGateway } from './open-gateway.ts'
import { wireLog } from './wire-log.ts'

/**
 * Creates a gateway and loads its definitions and policies. `inject` works at once; `listen` opens the port.
 *
 * Without a configuration, all state is in memory. Rejects with `ConfigError` if the configuration is invalid. A
 * broken definition does not reject: the gateway skips it and reports it to the log and to `onReload`.
 */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { config = {}, vendor, environment = {} } = options
  const loaded = loadConfig({
    // A gateway created in code is reachable from this machine only, unless its configuration sets another address.
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
