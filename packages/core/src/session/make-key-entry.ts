/** A key made ready: its session with policies applied, and its grants, each compiled at the first request for it. */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { GatewaySettings } from '../settings.ts'
import { applyPolicies } from './apply-policies.ts'
import { expiresAtOf } from './expiry.ts'
import type { Grant } from './grant.ts'
import { hashKeyName } from './key-hash.ts'
import type { KeyEntry } from './keyring.ts'
import { makeGrant } from './make-grant.ts'
import type { PathPatterns } from './path-patterns.ts'
import type { PolicyBook } from './policy-book.ts'
import type { Session } from './session.ts'

export interface KeyEntryParts {
  readonly keyName: string
  readonly storedName: string
  /** As stored. */
  readonly session: Session
  /** Organisation of the APIs on which the entry is used. */
  readonly orgId: string
  readonly policies: PolicyBook
  readonly settings: GatewaySettings
  readonly patterns: PathPatterns
}

export function makeKeyEntry(parts: KeyEntryParts): KeyEntry {
  const applied = applyPolicies(parts.session, parts.policies, { orgId: parts.orgId })
  return new ReadyKey(parts, applied.session, applied.problem)
}

// A class, since one is made for every key in memory: methods on the prototype, one shape.
class ReadyKey implements KeyEntry {
  readonly keyName: string
  readonly storedName: string
  readonly session: Session
  readonly policyProblem: string | undefined
  readonly expiresAt: number | undefined
  private readonly settings: GatewaySettings
  private readonly patterns: PathPatterns
  private hashedName: string | undefined = undefined
  private lastApi: ApiDefinition | undefined = undefined
  private lastGrant: Grant | undefined = undefined
  /** Only keys that are used on several APIs have it. */
  private others: Map<ApiDefinition, Grant | undefined> | undefined = undefined

  constructor(parts: KeyEntryParts, session: Session, policyProblem: string | undefined) {
    this.keyName = parts.keyName
    this.storedName = parts.storedName
    this.session = session
    this.policyProblem = policyProblem
    this.expiresAt = expiresAtOf(session)
    this.settings = parts.settings
    this.patterns = parts.patterns
  }

  /** Made when a log asks: most keys are never named in one. */
  get logName(): string {
    this.hashedName ??= hashKeyName(this.keyName)
    return this.hashedName
  }

  grantFor(api: ApiDefinition): Grant | undefined {
    if (this.lastApi === api) return this.lastGrant
    return this.switchTo(api)
  }

  private switchTo(api: ApiDefinition): Grant | undefined {
    if (this.lastApi !== undefined) {
      this.others ??= new Map()
      this.others.set(this.lastApi, this.lastGrant)
    }
    const known = this.others?.get(api)
    const grant = known ?? (this.others?.has(api) ? undefined : this.compile(api))
    this.lastApi = api
    this.lastGrant = grant
    return grant
  }

  private compile(api: ApiDefinition): Grant | undefined {
    const { session, storedName, settings, patterns } = this
    return makeGrant({ session, storedName, settings, patterns }, api)
  }
}
