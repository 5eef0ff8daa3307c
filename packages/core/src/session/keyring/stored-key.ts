/** Finds under which of its possible names a credential is stored. */
import { isPromise, type Maybe } from '../../lib/maybe.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { SessionStore } from '../../ports/store.ts'
import { candidateNames, firstCandidateName, storedNameOf } from '../names/key-name.ts'
import { outlineOf, type SessionOutline } from '../outline.ts'

export interface StoredKey {
  readonly keyName: string
  readonly storedName: string
  readonly outline: SessionOutline
}

export type FindStoredKey = (credential: string, orgId: string) => Maybe<StoredKey | undefined>

/** The first candidate that is stored counts. A store that needs time is asked for all of them in one go. */
export function makeStoredKeyFinder(sessions: SessionStore, keys: GatewaySettings['keys']): FindStoredKey {
  const read = readerOf(sessions)

  const searchFrom = (names: readonly string[], start: number): Maybe<StoredKey | undefined> => {
    for (let i = start; i < names.length; i++) {
      const keyName = names[i] as string
      const storedName = storedNameOf(keyName, keys.hashKeys)
      const outline = read(storedName)
      if (isPromise(outline)) return firstAnswered(names.slice(i), outline)
      if (outline !== undefined) return { keyName, storedName, outline }
    }
    return undefined
  }

  const firstAnswered = async (
    names: readonly string[],
    first: Promise<SessionOutline | undefined>,
  ): Promise<StoredKey | undefined> => {
    const storedNames = names.map((name) => storedNameOf(name, keys.hashKeys))
    const outlines = await Promise.all([first, ...storedNames.slice(1).map(read)])
    for (const [i, outline] of outlines.entries()) {
      if (outline !== undefined) return { keyName: names[i] as string, storedName: storedNames[i] as string, outline }
    }
    return undefined
  }

  return (credential, orgId) => {
    // Nearly always it is the first, so the others are only named when it is not.
    const keyName = firstCandidateName(credential, orgId, keys)
    const storedName = storedNameOf(keyName, keys.hashKeys)
    const outline = read(storedName)
    if (isPromise(outline)) return firstAnswered(candidateNames(credential, orgId, keys), outline)
    if (outline !== undefined) return { keyName, storedName, outline }
    return searchFrom(candidateNames(credential, orgId, keys), 1)
  }
}

function readerOf(sessions: SessionStore): (storedName: string) => Maybe<SessionOutline | undefined> {
  if (sessions.outline !== undefined) return sessions.outline.bind(sessions)
  return (storedName) => {
    const stored = sessions.get(storedName)
    if (isPromise(stored)) return stored.then((found) => found && outlineOf(found))
    return stored && outlineOf(stored)
  }
}
