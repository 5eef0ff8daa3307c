/** Which ports APIs may have of their own, as the configuration says. Source: spec/config-and-ops.md 2.1. */
import type { PortList, PortRules } from '@turnpike/core'
import type { GatewayConfig } from './config-shape.ts'

/** Without a list no port is allowed but the gateway's own, unless the list is switched off. */
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
