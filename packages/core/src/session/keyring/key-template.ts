/** What follows from the fields that sessions have in common: policies applied, grants compiled, once for all of them. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { PathPatterns } from '../access/path-patterns.ts'
import { type ApiAccess, compileApiAccess } from '../api-access.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import type { PolicyBook } from '../policies/policy-book.ts'

export interface KeyTemplateParts {
  /** Organisation of the APIs on which the keys are used. */
  readonly orgId: string
  readonly policies: PolicyBook
  readonly settings: GatewaySettings
  readonly patterns: PathPatterns
}

export class KeyTemplate {
  /** What was given, with policies applied. */
  readonly session: Session
  readonly policyProblem: string | undefined
  /** Counters are named after meta data, of which each key has its own. */
  readonly needsMetaData: boolean
  /** Made of the whole session of one key. */
  readonly isWhole: boolean
  readonly parts: KeyTemplateParts
  private lastApi: ApiDefinition | undefined = undefined
  private lastAccess: ApiAccess | undefined = undefined
  /** Only keys that are used on several APIs have it. */
  private others: Map<ApiDefinition, ApiAccess | undefined> | undefined = undefined

  constructor(given: Session, isWhole: boolean, parts: KeyTemplateParts) {
    const applied = applyPolicies(given, parts.policies, { orgId: parts.orgId })
    this.session = applied.session
    this.policyProblem = applied.problem
    this.needsMetaData = applied.session.metaData?.rate_limit_pattern !== undefined
    this.isWhole = isWhole
    this.parts = parts
  }

  accessTo(api: ApiDefinition): ApiAccess | undefined {
    if (this.lastApi !== api) this.switchTo(api)
    return this.lastAccess
  }

  private switchTo(api: ApiDefinition): void {
    if (this.lastApi !== undefined) {
      this.others ??= new Map()
      this.others.set(this.lastApi, this.lastAccess)
    }
    this.lastAccess = this.others?.has(api) === true ? this.others.get(api) : this.compile(api)
    this.lastApi = api
  }

  private compile(api: ApiDefinition): ApiAccess | undefined {
    const { settings, patterns } = this.parts
    return compileApiAccess({ session: this.session, settings, patterns }, api)
  }
}
