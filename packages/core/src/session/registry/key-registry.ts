/**
 * Creates (`create`, or `put` with a given id), reads, changes and removes keys, for the management API and for programs in
 * the same process. Methods return tagged results; the caller maps them to HTTP. After each write, the registry evicts the
 * key from the session cache of this node and publishes a signal to the other nodes.
 * Source: docs/reference/key-management.md#key-endpoints.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { formatRfc3339, unixSeconds } from '../../lib/text/time.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { Session } from '../../ports/session.ts'
import { makeKeyName, orgOfKeyName, storedNameOf } from '../names/key-name.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import { keptBasicAuth } from './basic-auth-password.ts'
import type {
  KeyAddress,
  KeyEvent,
  KeyRegistryDependencies,
  KeyRejection,
  LocatedKey,
  WrittenKey,
} from './key-registry-types.ts'
import { type KeyFilter, listKeys } from './list-keys.ts'
import { locateKey } from './locate-key.ts'
import { findMisplacedFields } from './misplaced-fields.ts'
import { prepareSave, type SaveRequest } from './prepare-save.ts'
import { resetCounters } from './reset-counters.ts'
import { checkBindings, checkCertificateChange } from './session-certificates.ts'
import { showSession } from './show-session.ts'

export interface WriteOptions {
  /** Keeps the counters; an update keeps `quota_renews` and `last_updated` too. Default: false. */
  readonly suppressReset?: boolean
}

export type Removal =
  | { readonly kind: 'removed' | 'failed'; readonly key: LocatedKey }
  | { readonly kind: 'unknown-key' }

export interface KeyRegistry {
  locate(address: KeyAddress): Promise<LocatedKey | undefined>
  /** Returns the session with policies applied and remaining quotas; `undefined`: the key does not exist. */
  read(address: KeyAddress): Promise<Session | undefined>
  /** Creates a key whose id is random, or the certificate of the session. */
  create(session: Session): Promise<WrittenKey | KeyRejection>
  /** Creates or replaces the key with this id. An empty id means a random one. */
  put(id: string, session: Session, options?: WriteOptions): Promise<WrittenKey | KeyRejection>
  /** Replaces the session of an existing key. */
  replace(address: KeyAddress, session: Session, options?: WriteOptions): Promise<WrittenKey | KeyRejection>
  /** Removes the key and clears its quotas. `failed`: the store did not remove it. */
  remove(address: KeyAddress): Promise<Removal>
  /** Returns stored names, sorted. */
  list(filter: KeyFilter): Promise<string[]>
  /** Applies policies to a session without storing it. Ignores policy errors. */
  preview(session: Session): Session
  /** Replaces the policies of a stored key. The ids are not checked. `undefined`: the key does not exist. */
  changePolicies(storedName: string, policyIds: readonly string[]): Promise<WrittenKey | undefined>
}

export function makeKeyRegistry(parts: KeyRegistryDependencies): KeyRegistry {
  const { store, settings, clock, ids, log, keyLock: lock } = parts
  const { sessions, counters } = store
  const hasCertificate = parts.hasCertificate ?? (() => false)
  const locate = (address: KeyAddress) => locateKey(address, sessions, settings.keys)

  async function notifyChange(storedName: string): Promise<void> {
    parts.sessionCache.forget(storedName)
    // The write persists. A node that misses the signal reads the change when its cached copy expires.
    await parts.signals.publish({ kind: 'key-changed', storedName }).catch((error: unknown) => {
      log.warn('cannot notify other nodes of a changed key', { reason: String(error) })
    })
  }

  const announce = (
    name: KeyEvent['name'],
    message: KeyEvent['message'],
    key: Pick<LocatedKey, 'keyName' | 'session'>,
  ) => parts.announce?.({ name, message, orgId: key.session.orgId, keyName: key.keyName })

  async function save(
    names: Pick<LocatedKey, 'keyName' | 'storedName'>,
    request: SaveRequest,
  ): Promise<WrittenKey | KeyRejection> {
    const apis = parts.apis()
    const facts = { now: clock.now(), settings, policies: parts.policies(), apis, findApi: apiFinder(apis) }
    const ready = prepareSave(request, facts)
    if (ready.kind !== 'ready') return ready
    if (ready.reset) await resetCounters(counters, names.storedName, ready.session)
    await sessions.put(names.storedName, ready.session, ready.lifetimeMs)
    await notifyChange(names.storedName)
    return { kind: 'written', ...names, session: ready.session }
  }

  const namesOf = (keyName: string) => ({ keyName, storedName: storedNameOf(keyName, settings.keys.hashKeys) })
  const storedSession = async (storedName: string) => (await sessions.get(storedName))?.session

  return {
    locate,

    async read(address) {
      const key = await locate(address)
      return key && showSession(key.session, key.storedName, parts.policies(), counters)
    },

    async create(given) {
      const id = given.certificate === '' ? ids.uuid() : given.certificate
      const names = namesOf(makeKeyName(given.orgId, id, settings.keys.hashFunction))
      return lock.hold(names.storedName, async () => {
        const stored = await storedSession(names.storedName)
        if (given.certificate !== '' && stored !== undefined)
          return { kind: 'certificate-taken', keyName: names.keyName }
        const problem = await checkBindings(given, undefined, hasCertificate)
        if (problem !== undefined) return problem
        const applied = applyPolicies(given, parts.policies())
        if (applied.problem !== undefined) return { kind: 'policies', reason: applied.problem }
        const session = { ...applied.session, dateCreated: formatRfc3339(clock.now()) }
        if (session.hmacEnabled) session.hmacString = encodeBase64(utf8Bytes(ids.uuid()))
        session.basicAuthData = await keptBasicAuth(session.basicAuthData, undefined, parts)
        const written = await save(names, { session, stored, suppressReset: false, keepsPeriod: false })
        if (written.kind === 'written') announce('TokenCreated', 'Key generated.', written)
        return written
      })
    },

    async put(id, given, options) {
      const misplaced = findMisplacedFields(given.accessRights, apiFinder(parts.apis()))
      if (misplaced !== undefined) return { kind: 'misplaced-fields', message: misplaced }
      const names = namesOf(fullName(id === '' ? ids.uuid() : id, given.orgId, settings.keys.hashFunction))
      return lock.hold(names.storedName, async () => {
        const { session } = applyPolicies(given, parts.policies())
        const problem = await checkBindings(session, undefined, hasCertificate)
        if (problem !== undefined) return problem
        const now = clock.now()
        const ready: Session = {
          ...session,
          dateCreated: formatRfc3339(now),
          expires: isPast(session.expires, now) ? 0 : session.expires,
          basicAuthData: await keptBasicAuth(session.basicAuthData, undefined, parts),
        }
        const stored = await storedSession(names.storedName)
        const suppressReset = options?.suppressReset ?? false
        const written = await save(names, { session: ready, stored, suppressReset, keepsPeriod: false })
        if (written.kind === 'written') announce('TokenCreated', 'Key modified.', written)
        return written
      })
    },

    async replace(address, given, options) {
      const misplaced = findMisplacedFields(given.accessRights, apiFinder(parts.apis()))
      if (misplaced !== undefined) return { kind: 'misplaced-fields', message: misplaced }
      const found = await locate({ orgId: given.orgId, ...address })
      if (found === undefined) return { kind: 'unknown-key' }
      return lock.hold(found.storedName, async () => {
        // Read again, because the key may have been removed while this call waited for the lock.
        const stored = await storedSession(found.storedName)
        if (stored === undefined) return { kind: 'unknown-key' }
        const { session } = applyPolicies(given, parts.policies())
        const problem =
          (await checkCertificateChange(session, stored, hasCertificate)) ??
          (await checkBindings(session, stored, hasCertificate))
        if (problem !== undefined) return problem
        const ready: Session = {
          ...session,
          dateCreated: stored.dateCreated,
          expires: isPast(session.expires, clock.now()) ? stored.expires : session.expires,
          basicAuthData: await keptBasicAuth(session.basicAuthData, stored.basicAuthData, parts),
        }
        const suppressReset = options?.suppressReset ?? false
        const written = await save(found, { session: ready, stored, suppressReset, keepsPeriod: true })
        if (written.kind === 'written') announce('TokenUpdated', 'Key modified.', written)
        return written
      })
    },

    async remove(address) {
      const found = await locate(address)
      if (found === undefined) return { kind: 'unknown-key' }
      return lock.hold(found.storedName, async () => {
        const session = await storedSession(found.storedName)
        if (session === undefined) return { kind: 'unknown-key' }
        const key = { ...found, session }
        const removed = await sessions.remove(found.storedName)
        await resetCounters(counters, found.storedName, session)
        await notifyChange(found.storedName)
        if (removed) announce('TokenDeleted', 'Key deleted.', key)
        return { kind: removed ? 'removed' : 'failed', key }
      })
    },

    list: (filter) => listKeys(filter, parts),

    preview(given) {
      const now = clock.now()
      // Set before the policies are applied, because a policy with a later `last_updated` replaces the date.
      const dated = { ...given, dateCreated: formatRfc3339(now), lastUpdated: String(unixSeconds(now)) }
      return applyPolicies(dated, parts.policies()).session
    },

    changePolicies(storedName, policyIds) {
      return lock.hold(storedName, async () => {
        const stored = await sessions.get(storedName)
        if (stored === undefined) return undefined
        const now = clock.now()
        const lastUpdated = String(unixSeconds(now))
        // The older field would apply if the new list is empty.
        const session = { ...stored.session, applyPolicyId: '', applyPolicies: [...policyIds], lastUpdated }
        // The key keeps its remaining lifetime.
        const lifetimeMs = stored.storedUntil === undefined ? undefined : Math.max(1, stored.storedUntil - now)
        await sessions.put(storedName, session, lifetimeMs)
        await notifyChange(storedName)
        return { kind: 'written', keyName: storedName, storedName, session }
      })
    },
  }
}

/** Returns the full name of an id. A base64 name of this organisation is already a full name. */
function fullName(id: string, orgId: string, hashFunction: Parameters<typeof makeKeyName>[2]): string {
  const isFull = hashFunction !== '' && orgId !== '' && orgOfKeyName(id) === orgId
  return isFull ? id : makeKeyName(orgId, id, hashFunction)
}

/** Returns true if the expiry is in the past. Values up to 1 have special meanings and are not expiries. */
function isPast(expires: number, now: number): boolean {
  return expires > 1 && expires < unixSeconds(now)
}

/** Makes a lookup of loaded definitions by id. If two definitions share an id, the first one is used. */
function apiFinder(apis: readonly ApiDefinition[]): (id: string) => ApiDefinition | undefined {
  let apisById: Map<string, ApiDefinition> | undefined
  return (id) => {
    apisById ??= new Map(apis.toReversed().map((api) => [api.id, api]))
    return apisById.get(id)
  }
}
