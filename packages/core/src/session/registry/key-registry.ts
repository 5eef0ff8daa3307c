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
import { findLongPassword, keptBasicAuth } from './basic-auth-password.ts'
import { findInvalidPattern, findInvalidRights } from './invalid-rights.ts'
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

export class KeyRegistry {
  private readonly parts: KeyRegistryDependencies
  private readonly hasCertificate: NonNullable<KeyRegistryDependencies['hasCertificate']>

  constructor(parts: KeyRegistryDependencies) {
    this.parts = parts
    this.hasCertificate = parts.hasCertificate ?? (() => false)
  }

  locate(address: KeyAddress): Promise<LocatedKey | undefined> {
    return locateKey(address, this.parts.store.sessions, this.parts.settings.keys)
  }

  /** Returns the session with policies applied and remaining quotas; `undefined`: the key does not exist. */
  async read(address: KeyAddress): Promise<Session | undefined> {
    const { store } = this.parts
    const key = await this.locate(address)
    return key && showSession(key.session, key.storedName, this.parts.policies(), store.counters)
  }

  /** Creates a key whose id is random, or the certificate of the session. */
  async create(given: Session): Promise<WrittenKey | KeyRejection> {
    const { ids, settings, keyLock, clock } = this.parts
    // As recorded, fields that do not apply to their API are accepted here.
    const invalid = invalidSession(
      findInvalidPattern(given.accessRights) ?? findLongPassword(given.basicAuthData, this.parts),
    )
    if (invalid !== undefined) return invalid
    const id = given.certificate === '' ? ids.uuid() : given.certificate
    const names = this.namesOf(makeKeyName(given.orgId, id, settings.keys.hashFunction))
    return keyLock.hold(names.storedName, async () => {
      const stored = await this.storedSession(names.storedName)
      if (given.certificate !== '' && stored !== undefined) return { kind: 'certificate-taken', keyName: names.keyName }
      const problem = await checkBindings(given, undefined, this.hasCertificate)
      if (problem !== undefined) return problem
      const applied = applyPolicies(given, this.parts.policies())
      if (applied.problem !== undefined) return { kind: 'policies', reason: applied.problem }
      const session = { ...applied.session, dateCreated: formatRfc3339(clock.now()) }
      if (session.hmacEnabled) session.hmacString = encodeBase64(utf8Bytes(ids.uuid()))
      session.basicAuthData = await keptBasicAuth(session.basicAuthData, undefined, this.parts)
      const written = await this.save(names, { session, stored, suppressReset: false, keepsPeriod: false })
      if (written.kind === 'written') this.announce('TokenCreated', 'Key generated.', written)
      return written
    })
  }

  /** Creates or replaces the key with this id. An empty id means a random one. */
  async put(id: string, given: Session, options?: WriteOptions): Promise<WrittenKey | KeyRejection> {
    const { ids, settings, keyLock, clock } = this.parts
    const invalid = this.findInvalid(given)
    if (invalid !== undefined) return invalid
    const names = this.namesOf(fullName(id === '' ? ids.uuid() : id, given.orgId, settings.keys.hashFunction))
    return keyLock.hold(names.storedName, async () => {
      const { session } = applyPolicies(given, this.parts.policies())
      const problem = await checkBindings(session, undefined, this.hasCertificate)
      if (problem !== undefined) return problem
      const now = clock.now()
      const ready: Session = {
        ...session,
        dateCreated: formatRfc3339(now),
        expires: isPast(session.expires, now) ? 0 : session.expires,
        basicAuthData: await keptBasicAuth(session.basicAuthData, undefined, this.parts),
      }
      const stored = await this.storedSession(names.storedName)
      const suppressReset = options?.suppressReset ?? false
      const written = await this.save(names, { session: ready, stored, suppressReset, keepsPeriod: false })
      if (written.kind === 'written') this.announce('TokenCreated', 'Key modified.', written)
      return written
    })
  }

  /** Replaces the session of an existing key. */
  async replace(address: KeyAddress, given: Session, options?: WriteOptions): Promise<WrittenKey | KeyRejection> {
    const { keyLock, clock } = this.parts
    const invalid = this.findInvalid(given)
    if (invalid !== undefined) return invalid
    const found = await this.locate({ orgId: given.orgId, ...address })
    if (found === undefined) return { kind: 'unknown-key' }
    return keyLock.hold(found.storedName, async () => {
      // Read again, because the key may have been removed while this call waited for the lock.
      const stored = await this.storedSession(found.storedName)
      if (stored === undefined) return { kind: 'unknown-key' }
      const { session } = applyPolicies(given, this.parts.policies())
      const problem =
        (await checkCertificateChange(session, stored, this.hasCertificate)) ??
        (await checkBindings(session, stored, this.hasCertificate))
      if (problem !== undefined) return problem
      const ready: Session = {
        ...session,
        dateCreated: stored.dateCreated,
        expires: isPast(session.expires, clock.now()) ? stored.expires : session.expires,
        basicAuthData: await keptBasicAuth(session.basicAuthData, stored.basicAuthData, this.parts),
      }
      const suppressReset = options?.suppressReset ?? false
      const written = await this.save(found, { session: ready, stored, suppressReset, keepsPeriod: true })
      if (written.kind === 'written') this.announce('TokenUpdated', 'Key modified.', written)
      return written
    })
  }

  /** Removes the key and clears its quotas. `failed`: the store did not remove it. */
  async remove(address: KeyAddress): Promise<Removal> {
    const { store, keyLock } = this.parts
    const found = await this.locate(address)
    if (found === undefined) return { kind: 'unknown-key' }
    return keyLock.hold(found.storedName, async () => {
      const session = await this.storedSession(found.storedName)
      if (session === undefined) return { kind: 'unknown-key' }
      const key = { ...found, session }
      const removed = await store.sessions.remove(found.storedName)
      await resetCounters(store.counters, found.storedName, session)
      await this.notifyChange(found.storedName)
      if (removed) this.announce('TokenDeleted', 'Key deleted.', key)
      return { kind: removed ? 'removed' : 'failed', key }
    })
  }

  /** Returns stored names, sorted. */
  list(filter: KeyFilter): Promise<string[]> {
    return listKeys(filter, this.parts)
  }

  /** Applies policies to a session without storing it. Ignores policy errors. */
  preview(given: Session): Session {
    const now = this.parts.clock.now()
    // Set before the policies are applied, because a policy with a later `last_updated` replaces the date.
    const dated = { ...given, dateCreated: formatRfc3339(now), lastUpdated: String(unixSeconds(now)) }
    return applyPolicies(dated, this.parts.policies()).session
  }

  /** Replaces the policies of a stored key. The ids are not checked. `undefined`: the key does not exist. */
  changePolicies(storedName: string, policyIds: readonly string[]): Promise<WrittenKey | undefined> {
    const { store, keyLock, clock } = this.parts
    return keyLock.hold(storedName, async () => {
      const stored = await store.sessions.get(storedName)
      if (stored === undefined) return undefined
      const now = clock.now()
      const lastUpdated = String(unixSeconds(now))
      // The older field would apply if the new list is empty.
      const session = { ...stored.session, applyPolicyId: '', applyPolicies: [...policyIds], lastUpdated }
      // The key keeps its remaining lifetime.
      const lifetimeMs = stored.storedUntil === undefined ? undefined : Math.max(1, stored.storedUntil - now)
      await store.sessions.put(storedName, session, lifetimeMs)
      await this.notifyChange(storedName)
      return { kind: 'written', keyName: storedName, storedName, session }
    })
  }

  private async save(
    names: Pick<LocatedKey, 'keyName' | 'storedName'>,
    request: SaveRequest,
  ): Promise<WrittenKey | KeyRejection> {
    const { store, settings, clock } = this.parts
    const apis = this.parts.apis()
    const facts = { now: clock.now(), settings, policies: this.parts.policies(), apis, findApi: apiFinder(apis) }
    const ready = prepareSave(request, facts)
    if (ready.kind !== 'ready') return ready
    if (ready.reset) await resetCounters(store.counters, names.storedName, ready.session)
    await store.sessions.put(names.storedName, ready.session, ready.lifetimeMs)
    await this.notifyChange(names.storedName)
    return { kind: 'written', ...names, session: ready.session }
  }

  private async notifyChange(storedName: string): Promise<void> {
    const { sessionCache, signals, log } = this.parts
    sessionCache.forget(storedName)
    // The write persists. A node that misses the signal reads the change when its cached copy expires.
    await signals.publish({ kind: 'key-changed', storedName }).catch((error: unknown) => {
      log.warn('cannot notify other nodes of a changed key', { reason: String(error) })
    })
  }

  private announce(
    name: KeyEvent['name'],
    message: KeyEvent['message'],
    { keyName, session }: Pick<LocatedKey, 'keyName' | 'session'>,
  ): void {
    this.parts.announce?.({ name, message, orgId: session.orgId, keyName })
  }

  private findInvalid(given: Session): KeyRejection | undefined {
    const message = findInvalidRights(given.accessRights, apiFinder(this.parts.apis()))
    return invalidSession(message ?? findLongPassword(given.basicAuthData, this.parts))
  }

  private namesOf(keyName: string): Pick<LocatedKey, 'keyName' | 'storedName'> {
    return { keyName, storedName: storedNameOf(keyName, this.parts.settings.keys.hashKeys) }
  }

  private async storedSession(storedName: string): Promise<Session | undefined> {
    return (await this.parts.store.sessions.get(storedName))?.session
  }
}

function invalidSession(message: string | undefined): KeyRejection | undefined {
  return message === undefined ? undefined : { kind: 'invalid-session', message }
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
