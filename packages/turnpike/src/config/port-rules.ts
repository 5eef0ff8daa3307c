/** TCP ports that APIs may listen on. Source: docs/reference/configuration.md#listening-and-management-keys. */
import type { PortList, PortRules } from '@turnpike/core/http'
import type { GatewayConfig } from './config-shape.ts'

/** Without a whitelist only the gateway's own port is allowed, unless `disable_ports_whitelist` is set. */
export function portRulesOf(config: GatewayConfig): PortRules {
  const { listenPort, controlApiPort, httpServerOptions, portsWhitelist, disablePortsWhitelist } = config
  return {
    own: listenPort,
    control: controlApiPort,
    secure: httpServerOptions.useSsl,
    whitelist: disablePortsWhitelist ? undefined : listsOf(portsWhitelist),
  }
}

function listsOf(whitelist: GatewayConfig['portsWhitelist']): ReadonlyMap<string, PortList> {
  const lists = new Map<string, PortList>()
  for (const [name, { ranges, ports }] of Object.entries(whitelist ?? {})) {
    lists.set(name.trim().toLowerCase(), { ranges: ranges ?? [], ports: ports ?? [] })
  }
  return lists
}
