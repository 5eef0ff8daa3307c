/** A key as the page lists it, without credentials. */
import type { ListedKey } from './key-list-cache.ts'

export function showKey({ hash, session, problem }: ListedKey): object {
  return {
    hash,
    alias: session.alias,
    policies: session.applyPolicies ?? [],
    apis: Object.keys(session.accessRights ?? {}),
    /** Unix seconds; 0 or less: never. */
    expires: session.expires,
    inactive: session.isInactive,
    ...(problem === undefined ? {} : { problem }),
  }
}
