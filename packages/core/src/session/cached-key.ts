/** A key in the session cache: its session, what it may do on each API, and its counters. */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { hashKeyName } from '../lib/hash/hash-key-name.ts'
import type { Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { Counter, SessionSummary } from '../ports/store.ts'
import { type ApiAccess, counterOf, type StoredQuota, storedQuotaOf } from './api-access.ts'
import { expiresAtOf } from './expiry.ts'
import { type RequiredProof, requiredProofOf } from './required-proof.ts'
import type { SessionProfile } from './session-profile.ts'

/** One object for all keys of a cache. */
export interface CachedKeyDependencies {
  /** Applies the policies of a session that is used in this organisation. */
  readonly apply: (session: Session, orgId: string) => Session
  readonly keys: GatewaySettings['keys']
}

/** A key that is ready for requests to the APIs of one organisation. */
export class CachedKey {
  /** Full name. Secret: never logged. */
  readonly keyName: string
  /** Name under which the session is stored: the full name or its hash. */
  readonly storedName: string
  readonly orgId: string
  /** Stored names with precedence that had no session when the key was found. */
  readonly missing: readonly string[]
  readonly profile: SessionProfile
  /** In ms; `undefined`: never. */
  readonly expiresAt: Millis | undefined
  /** The cache does not return the key from this time on; Infinity: no limit. */
  readonly cachedUntil: Millis
  private readonly summary: SessionSummary
  private readonly uses: CachedKeyDependencies
  /** Made at the first use: most keys need none, and an empty Map takes 250 bytes. */
  private storedQuotas: Map<ApiDefinition, StoredQuota> | undefined = undefined
  private whole: Session | undefined = undefined
  private knownProof: RequiredProof | null | undefined = undefined

  constructor(
    { keyName, storedName, orgId, missing }: Pick<CachedKey, 'keyName' | 'storedName' | 'orgId' | 'missing'>,
    summary: SessionSummary,
    profile: SessionProfile,
    cachedUntil: Millis,
    uses: CachedKeyDependencies,
  ) {
    this.keyName = keyName
    this.storedName = storedName
    this.orgId = orgId
    this.missing = missing
    this.summary = summary
    this.profile = profile
    this.cachedUntil = cachedUntil
    this.uses = uses
    this.expiresAt = expiresAtOf(summary)
  }

  get isInactive(): boolean {
    return this.profile.session.isInactive
  }

  get policyProblem(): string | undefined {
    return this.profile.policyProblem
  }

  /** The whole session, with policies applied if possible. Read at the first call, because most requests do not need it. */
  get session(): Session {
    this.whole ??= this.uses.apply(this.summary.whole(), this.orgId)
    return this.whole
  }

  /** The methods and certificates with which the session must be proven; `undefined`: any. Read at the first call. */
  get requiredProof(): RequiredProof | undefined {
    if (!this.summary.mayRequireProof) return undefined
    if (this.knownProof === undefined) {
      this.knownProof = requiredProofOf(this.summary.whole(), this.storedName, this.uses.keys) ?? null
    }
    return this.knownProof ?? undefined
  }

  /** False: a script authenticated the request without naming a key, so its callers cannot be distinguished. */
  get isNamed(): boolean {
    return this.keyName !== ''
  }

  /** Hash of the key, for logs. */
  get logName(): string {
    return hashKeyName(this.keyName)
  }

  /** Returns what the key may do on the API; `undefined`: no access. */
  accessTo(api: ApiDefinition): ApiAccess | undefined {
    return this.profile.accessTo(api)
  }

  /** As `accessTo`, for a token of an OAuth client of this API. */
  accessOfClientTo(api: ApiDefinition): ApiAccess | undefined {
    return this.profile.accessOfClientTo(api)
  }

  /** The stored numbers of the quota on the API. Reads the whole session at the first call. */
  storedQuotaOn(api: ApiDefinition): StoredQuota {
    this.storedQuotas ??= new Map()
    let stored = this.storedQuotas.get(api)
    if (stored === undefined) {
      stored = storedQuotaOf(this.session, api.id)
      this.storedQuotas.set(api, stored)
    }
    return stored
  }

  /** The counter of the key on an API to which it has this access. Built for each request, because it would take memory. */
  counterOn(access: ApiAccess): Counter {
    return counterOf(access, this.storedName, generationOf(this.summary, this.profile))
  }
}

/** Time of the last change of the key or its policies. A change starts a new window of the rate. */
function generationOf({ lastUpdated }: SessionSummary, { session }: SessionProfile): string {
  return session.lastUpdated > lastUpdated ? session.lastUpdated : lastUpdated
}
