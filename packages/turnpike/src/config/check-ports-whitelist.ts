/** Checks `ports_whitelist` for entries that allow fewer ports than they seem to. */
import { makeNote, type Note } from '@turnpike/core/definition'
import { listenProtocols } from '@turnpike/core/http'
import { type JsonPath, nearestName } from '@turnpike/core/lib'
import type { GatewayConfig } from './config-shape.ts'

type Ports = Pick<GatewayConfig, 'portsWhitelist' | 'disablePortsWhitelist'>

export function checkPorts({ portsWhitelist, disablePortsWhitelist }: Ports): Note[] {
  const notes: Note[] = []
  const warn = (path: JsonPath, problem: string, fix: string) =>
    notes.push(makeNote('port-list-without-effect', ['ports_whitelist', ...path], { problem, fix }))
  const entries = Object.entries(portsWhitelist ?? {})
  if (disablePortsWhitelist && entries.length > 0) {
    warn([], 'has no effect, since disable_ports_whitelist is on', 'switch one of them off')
  }
  const known: readonly string[] = listenProtocols
  for (const [name, { ranges, ports }] of entries) {
    const word = name.trim().toLowerCase()
    if (!known.includes(word)) {
      const near = nearestName(word, known)
      warn([name], 'is not a protocol', near === undefined ? `use ${known.join(', ')}` : `did you mean "${near}"?`)
    }
    for (const [i, { from, to }] of (ranges ?? []).entries()) {
      const at = [name, 'ranges', i]
      if (!isPort(from) || !isPort(to)) warn(at, `${from} to ${to} goes beyond the ports`, 'ports are 1 to 65535')
      else if (from > to) warn(at, `holds no port: ${from} is above ${to}`, 'put the lower one into "from"')
    }
    for (const [i, port] of (ports ?? []).entries()) {
      if (!isPort(port)) warn([name, 'ports', i], `${port} is not a port`, 'ports are 1 to 65535')
    }
  }
  return notes
}

const isPort = (port: number) => port >= 1 && port <= 65_535
