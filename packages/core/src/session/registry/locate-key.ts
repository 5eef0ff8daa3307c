/**
 * Finds the stored session of a name. Source: docs/reference/sessions.md#key-names,
 * docs/reference/sessions.md#hashed-storage.
 */

import type { GatewaySettings } from '../../ports/settings.ts'
import type { SessionStore } from '../../ports/store.ts'
import { candidateNames, makeKeyName, storedNameOf } from '../names/key-name.ts'
import type { KeyAddress, LocatedKey } from './key-registry-types.ts'

/** Returns the key, or `undefined` if none of the candidate names is stored. */
export async function locateKey(
  address: KeyAddress,
  sessions: SessionStore,
  settings: GatewaySettings['keys'],
): Promise<LocatedKey | undefined> {
  for (const { keyName, storedName } of namesOf(address, settings)) {
    const found = await sessions.get(storedName)
    if (found !== undefined) return { keyName, storedName, session: found.session }
  }
  return undefined
}

function namesOf(address: KeyAddress, settings: GatewaySettings['keys']): Pick<LocatedKey, 'keyName' | 'storedName'>[] {
  if (address.stored === true) return [{ keyName: address.name, storedName: address.name }]
  const orgId = address.orgId ?? ''
  const names =
    address.username === true && settings.actionsByUsername
      ? namesOfUser(address.name, orgId, settings)
      : candidateNames(address.name, orgId, settings)
  return names.map((keyName) => ({ keyName, storedName: storedNameOf(keyName, settings.hashKeys) }))
}

/** The full name that the user name makes; with a hash function, then the name as given, which may be a full one. */
function namesOfUser(name: string, orgId: string, { hashFunction }: GatewaySettings['keys']): string[] {
  const made = makeKeyName(orgId, name, hashFunction)
  return hashFunction === '' ? [made] : [made, name]
}
