/**
 * Handles the signals of other nodes and of this node: evicts what changed from the caches, or reloads. Signals about
 * certificates are handled in `auth/certificates/certificate-store.ts` and turnpike's `create-security.ts`, those about
 * OAuth tokens in mgmt-api's `oauth.ts`.
 * A change of a key sends a signal (`notifyChange` in `session/registry/key-registry.ts`, for example); if it is lost,
 * cached sessions expire by themselves.
 */
import type { Signal } from '../ports/signals.ts'
import type { Services } from './create-services.ts'

export function makeSignalHandler(
  { sessionCache, orgs, keySets, store, log }: Services,
  reload: () => Promise<unknown>,
): (signal: Signal) => void {
  const reloadInBackground = () => {
    reload().catch((cause: unknown) => log.error('a reload failed', { reason: String(cause) }))
  }

  const emptyCache = async (apiId: string) => {
    try {
      await store.responses.invalidate(apiId)
    } catch (cause) {
      log.error('a cache could not be emptied', { api: apiId, cause: String(cause) })
    }
  }

  /** Called after signals were lost. Key sets and cached responses stay: they expire by themselves. */
  const catchUp = () => {
    sessionCache.renew()
    orgs.forgetAll()
    reloadInBackground()
  }

  return (signal) => {
    if (signal.kind === 'key-changed') {
      sessionCache.forget(signal.storedName)
      // Other gateway implementations use one kind of message for organisations and keys.
      orgs.forget(signal.storedName)
    } else if (signal.kind === 'gap') catchUp()
    else if (signal.kind === 'key-sets-changed') keySets?.forget(signal.apiId)
    else if (signal.kind === 'org-changed') orgs.forget(signal.orgId)
    else if (signal.kind === 'reload') reloadInBackground()
    else if (signal.kind === 'cache-invalidated') void emptyCache(signal.apiId)
  }
}
