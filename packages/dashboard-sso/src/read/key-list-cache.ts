/**
 * Keys of the store as the page may know them: by hash, never by name. The list of names is read at most every few
 * seconds, and only a bounded number of sessions is looked at, so that a gateway with a million keys can be looked at.
 */
import { hashKeyName } from '@turnpike/core/lib'
import type { Clock, GatewaySettings, Session, Store } from '@turnpike/core/ports'
import { applyPolicies, type PolicyBook } from '@turnpike/core/session'
import type { Viewer } from '../sso/viewer.ts'

export interface ListedKey {
  /** As logs and records name the key. */
  readonly hash: string
  /** Secret where keys are not hashed. */
  readonly storedName: string
  /** With policies applied. */
  readonly session: Session
  /** Why its policies cannot be applied. */
  readonly problem: string | undefined
}

export interface KeyPage {
  readonly keys: readonly ListedKey[]
  /** Not all keys were looked at, or not all that were found fit in. */
  readonly more: boolean
}

export interface KeyListCache {
  /** Keys that the viewer may see and whose hash or alias holds the text; empty: all. */
  list(viewer: Viewer, search: string): Promise<KeyPage>
  find(viewer: Viewer, hash: string): Promise<ListedKey | undefined>
  /** The next list contains keys that were just created. */
  forget(): void
}

interface CacheDependencies {
  readonly sessions: Pick<Store['sessions'], 'get' | 'list'>
  readonly settings: Pick<GatewaySettings, 'keys'>
  readonly clock: Pick<Clock, 'now' | 'breathe'>
  policies(): PolicyBook
}

const shown = 100
const lookedAt = 2000
const slice = 100
const namesLastMs = 5000
const rememberedHashes = 1000

export function makeKeyListCache({ sessions, settings, clock, policies }: CacheDependencies): KeyListCache {
  const hashOf = (storedName: string) => (settings.keys.hashKeys ? storedName : hashKeyName(storedName))
  // Only where names are not their own hashes.
  const nameByHash = new Map<string, string>()
  let names: { readonly at: number; readonly list: Promise<readonly string[]> } | undefined

  const readNames = (): Promise<readonly string[]> => {
    if (names === undefined || clock.now() - names.at >= namesLastMs) {
      const list = Promise.resolve(sessions.list('')).then((found) => found.sort())
      names = { at: clock.now(), list }
      list.catch(() => {
        names = undefined
      })
    }
    return names.list
  }

  const remember = (hash: string, storedName: string) => {
    if (nameByHash.size >= rememberedHashes) nameByHash.clear()
    nameByHash.set(hash, storedName)
  }

  const read = async (viewer: Viewer, storedName: string): Promise<ListedKey | undefined> => {
    const stored = await sessions.get(storedName)
    if (stored === undefined || !viewer.sees(stored.session.orgId)) return undefined
    const { session, problem } = applyPolicies(stored.session, policies())
    return { hash: hashOf(storedName), storedName, session, problem }
  }

  const nameOf = async (hash: string): Promise<string | undefined> => {
    if (settings.keys.hashKeys) return hash
    const known = nameByHash.get(hash)
    if (known !== undefined) return known
    const found = (await readNames()).find((name) => hashOf(name) === hash)
    if (found !== undefined) remember(hash, found)
    return found
  }

  return {
    async list(viewer, search) {
      const all = await readNames()
      const wanted = search.toLowerCase()
      const keys: ListedKey[] = []
      for (const [i, name] of all.slice(0, lookedAt).entries()) {
        if (i % slice === slice - 1) await clock.breathe()
        const key = await read(viewer, name)
        if (key === undefined || !isFound(key, wanted)) continue
        if (keys.length === shown) return { keys, more: true }
        remember(key.hash, name)
        keys.push(key)
      }
      return { keys, more: all.length > lookedAt }
    },
    forget() {
      names = undefined
    },
    async find(viewer, hash) {
      const name = await nameOf(hash)
      return name === undefined ? undefined : read(viewer, name)
    },
  }
}

function isFound({ hash, session }: ListedKey, wanted: string): boolean {
  return hash.toLowerCase().includes(wanted) || session.alias.toLowerCase().includes(wanted)
}
