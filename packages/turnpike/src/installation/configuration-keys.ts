/** Keys of a configuration that have no effect, which the new configuration does not repeat. */
import { findUnsupported } from '@turnpike/core/definition'
import { isJson, type Json, printJsonPath, readShape } from '@turnpike/core/lib'
import { configShape } from '../config/config-shape.ts'
import { unsupportedInConfig } from '../config/config-support.ts'
import { isRemovedKey } from '../config/keys/removed-keys.ts'

/** Removes keys that are unknown or have no effect, in place. */
export function removeIgnored(given: Record<string, unknown>): { path: string; reason: string }[] {
  const unknown = readShape(configShape, given)
    .problems.filter(({ kind }) => kind === 'unknown')
    .map(({ path }) => ({
      path,
      reason: isRemovedKey(path) ? 'was removed from the original gateway' : 'is not a known key',
    }))
  const unsupported = findUnsupported(unsupportedInConfig, given).map(({ path, reason }) => ({ path, reason }))
  const all = [...unknown, ...unsupported]
  for (const { path } of all) remove(given, path.map(String))
  return all.map(({ path, reason }) => ({ path: printJsonPath(path), reason }))
}

/** Removes a member and the objects that it leaves empty. */
function remove(parent: Record<string, unknown>, [name = '', ...rest]: readonly string[]): void {
  const member = parent[name]
  if (rest.length > 0 && typeof member === 'object' && member !== null) {
    remove(member as Record<string, unknown>, rest)
    if (Object.keys(member).length > 0) return
  }
  if (rest.length === 0 || (isJson(member) && Object.keys(member).length === 0)) delete parent[name]
}

export function countKeys(value: Json): number {
  return Object.values(value).reduce<number>((sum, member) => sum + (isJson(member) ? countKeys(member) : 1), 0)
}
