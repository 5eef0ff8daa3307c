/** A key made ready: what it may do, from the template that it shares, and its session, when somebody asks for it. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { hashKeyName } from '../../lib/hash/key-hash.ts'
import type { Session } from '../../ports/session.ts'
import type { Counter } from '../../ports/store.ts'
import { type ApiAccess, counterOf } from '../api-access.ts'
import { expiresAtOf } from '../expiry.ts'
import { generationOf } from '../names/counter-names.ts'
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
  private readonly template: KeyTemplate
  private readonly outline: SessionOutline
  private whole: Session | undefined
  private hashedName: string | undefined = undefined
  private lastApi: ApiDefinition | undefined = undefined
  private lastCounter: Counter | undefined = undefined
  /** Only keys that are used on several APIs have it. */
  private others: Map<ApiDefinition, Counter> | undefined = undefined

  constructor({ keyName, storedName, outline }: StoredKey, template: KeyTemplate) {
    this.keyName = keyName
    this.storedName = storedName
    this.lastUpdated = generationOf(outline.lastUpdated, template.session.lastUpdated)
    this.quotaRenews = outline.quotaRenews
    this.expiresAt = expiresAtOf(outline)
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

  accessTo(api: ApiDefinition): ApiAccess | undefined {
    return this.template.accessTo(api)
  }

  counterOn(api: ApiDefinition, access: ApiAccess): Counter {
    if (this.lastApi === api && this.lastCounter !== undefined) return this.lastCounter
    if (this.lastApi !== undefined && this.lastCounter !== undefined) {
      this.others ??= new Map()
      this.others.set(this.lastApi, this.lastCounter)
    }
    this.lastCounter = this.others?.get(api) ?? counterOf(access, this.storedName, this.lastUpdated)
    this.lastApi = api
    return this.lastCounter
  }
}
