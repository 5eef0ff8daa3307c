/**
 * APIs that cannot share a TCP port. A port has one protocol, and a port that forwards bytes serves one API only. The
 * API that is already served there keeps the port; otherwise the first definition does.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { isStream } from '../http/listen-address.ts'

/** The definitions that cannot use their port, with a message that continues "listen_port …". */
export function findPortClashes(
  definitions: readonly ApiDefinition[],
  running: readonly ApiDefinition[],
): ReadonlyMap<ApiDefinition, string> {
  const clashes = new Map<ApiDefinition, string>()
  for (const [port, group] of byPort(definitions)) {
    const before = running.filter((one) => one.port === port)
    const keeper = group.find((one) => before.some((other) => isSame(one, other))) ?? group[0]
    if (keeper === undefined) continue
    for (const one of group) {
      if (one === keeper || (one.protocol === keeper.protocol && !isStream(one))) continue
      const hold =
        one.protocol === keeper.protocol ? 'accepts every connection to it' : `speaks ${keeper.protocol} there`
      clashes.set(one, `is ${port}, but ${keeper.source} ${hold}; choose another`)
    }
  }
  return clashes
}

/** Definitions by TCP port; those on the gateway's port are left out. */
export function byPort(definitions: readonly ApiDefinition[]): ReadonlyMap<number, ApiDefinition[]> {
  const groups = new Map<number, ApiDefinition[]>()
  for (const definition of definitions) {
    if (definition.port === 0) continue
    const group = groups.get(definition.port)
    if (group === undefined) groups.set(definition.port, [definition])
    else group.push(definition)
  }
  return groups
}

function isSame(one: ApiDefinition, other: ApiDefinition): boolean {
  return one.source === other.source && one.protocol === other.protocol
}
