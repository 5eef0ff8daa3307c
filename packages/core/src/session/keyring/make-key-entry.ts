/** A key made ready: what it may do, from the template that it shares, and its session, when somebody asks for it. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { hashKeyName } from '../../lib/hash/key-hash.ts'
import type { Session } from '../../ports/session.ts'
import type { CounterPlaces } from '../../ports/store.ts'
import { expiresAtOf } from '../expiry.ts'
import type { Grant } from '../grants/grant.ts'
import { bucketUpdated } from '../names/counter-names.ts'
import type { SessionOutline } from '../outline.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import type { KeyTemplate } from './key-template.ts'
import type { KeyEntry } from './keyring.ts'
import type { StoredKey } from './stored-key.ts'

export function makeKeyEntry(stored: StoredKey, template: KeyTemplate): KeyEntry {
  return new ReadyKey(stored, template)
}

// A class, since one is made for every key in memory: methods on the prototype, one shape.
class ReadyKey implements KeyEntry {
  readonly keyName: string
  readonly storedName: string
  readonly lastUpdated: string
  readonly quotaRenews: number
  readonly expiresAt: number | undefined
  readonly places: CounterPlaces | undefined
  private readonly template: KeyTemplate
  private readonly outline: SessionOutline
  private whole: Session | undefined
  private hashedName: string | undefined = undefined
  private lastApi: ApiDefinition | undefined = undefined
  private lastGrant: Grant | undefined = undefined
  /** Only keys that are used on several APIs have it. */
  private others: Map<ApiDefinition, Grant | undefined> | undefined = undefined

  constructor({ keyName, storedName, outline }: StoredKey, template: KeyTemplate) {
    this.keyName = keyName
    this.storedName = storedName
    this.lastUpdated = bucketUpdated(outline.lastUpdated, template.session.lastUpdated)
    this.quotaRenews = outline.quotaRenews
    this.expiresAt = expiresAtOf(outline)
    this.places = outline.places
    this.template = template
    this.outline = outline
    this.whole = template.isWhole ? template.session : undefined
  }

  get isInactive(): boolean {
    return this.template.session.isInactive
  }

  get policyProblem(): string | undefined {
    return this.template.policyProblem
  }

  /** Put together when a stage asks: most requests need nothing of it. */
  get session(): Session {
    const { policies, orgId } = this.template.parts
    this.whole ??= applyPolicies(this.outline.whole(), policies, { orgId }).session
    return this.whole
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
    const isKnown = this.others?.has(api) === true
    const grant = isKnown ? this.others?.get(api) : this.template.grantFor(api, this)
    this.lastApi = api
    this.lastGrant = grant
    return grant
  }
}
