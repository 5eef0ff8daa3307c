/**
 * Which APIs cannot be on one port together: a port speaks one protocol, and where bytes pass as they are nothing tells
 * two APIs apart. Who was served there before keeps the port; without such a one, the first in order.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { isStream } from '../http/listening.ts'

/** By definition, why it cannot have its port: a sentence whose subject is `listen_port`. */
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
      const hold = one.protocol === keeper.protocol ? 'takes every connection to it' : `speaks ${keeper.protocol} there`
      clashes.set(one, `is ${port}, but ${keeper.source} ${hold}; choose another`)
    }
  }
  return clashes
}

/** Definitions with a port of their own; those without are no matter of theirs. */
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
