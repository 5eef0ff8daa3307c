/** A key that is ready for requests to the APIs of one organisation. */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { hashKeyName } from '../lib/hash/key-hash.ts'
import type { Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import type { Counter, SessionSummary } from '../ports/store.ts'
import { type ApiAccess, counterOf } from './api-access.ts'
import type { SessionProfile } from './session-profile.ts'

export class CachedKey {
  /** Full name of the key. Secret: never logged. */
  readonly keyName: string
  /** Name under which the session is stored: the full name or its hash. */
  readonly storedName: string
  readonly profile: SessionProfile
  /** In ms; `undefined`: never. */
  readonly expiresAt: Millis | undefined
  /** The cache does not return it from this moment on; Infinity: never. */
  readonly cachedUntil: Millis
  private readonly summary: SessionSummary
  private readonly apply: (session: Session) => Session
  private readonly counters = new Map<ApiDefinition, Counter>()
  private whole: Session | undefined = undefined

  constructor(
    keyName: string,
    storedName: string,
    summary: SessionSummary,
    profile: SessionProfile,
    cachedUntil: Millis,
    apply: (session: Session) => Session,
  ) {
    this.keyName = keyName
    this.storedName = storedName
    this.summary = summary
    this.profile = profile
    this.cachedUntil = cachedUntil
    this.apply = apply
    this.expiresAt = summary.expires > 0 ? summary.expires * 1000 : undefined
  }

  get isInactive(): boolean {
    return this.profile.session.isInactive
  }

  get policyProblem(): string | undefined {
    return this.profile.policyProblem
  }

  /** `quota_renews` as stored, in Unix seconds. */
  get quotaRenews(): number {
    return this.summary.quotaRenews
  }

  /** The whole session with policies applied where they can be. Read at the first call: most requests need none of it. */
  get session(): Session {
    this.whole ??= this.apply(this.summary.whole())
    return this.whole
  }

  /** Hash of the key, fit for logs. */
  get logName(): string {
    return hashKeyName(this.keyName)
  }

  /** What the key may do on the API; `undefined`: nothing. */
  accessTo(api: ApiDefinition): ApiAccess | undefined {
    return this.profile.accessTo(api)
  }

  /** The counter of the key on an API to which it has this access. Built at the first call. */
  counterOn(api: ApiDefinition, access: ApiAccess): Counter {
    let counter = this.counters.get(api)
    if (counter === undefined) {
      counter = counterOf(access, this.storedName, generationOf(this.summary, this.profile))
      this.counters.set(api, counter)
    }
    return counter
  }
}

/** When the key or its policies were changed, whichever is later: a changed key starts a new window of its rate. */
function generationOf({ lastUpdated }: SessionSummary, { session }: SessionProfile): string {
  return session.lastUpdated > lastUpdated ? session.lastUpdated : lastUpdated
}
