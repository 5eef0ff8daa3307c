/** Rights with policies applied and access to APIs compiled, shared by all sessions with equal rights. */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { SessionSummary } from '../ports/store.ts'
import { makePathPatterns, type PathPatterns } from './access/path-patterns.ts'
import { type ApiAccess, compileApiAccess } from './api-access.ts'
import { applyPolicies } from './policies/apply-policies.ts'
import type { PolicyBook } from './policies/policy-book.ts'

export class SessionProfile {
  /** The rights with policies applied. */
  readonly session: Session
  /** Why the policies cannot be applied. Such a key is treated as unknown. */
  readonly policyProblem: string | undefined
  private readonly settings: GatewaySettings
  private readonly patterns: PathPatterns
  private readonly byApi = new Map<ApiDefinition, ApiAccess | undefined>()
  private readonly byApiOfClient = new Map<ApiDefinition, ApiAccess | undefined>()

  constructor(session: Session, problem: string | undefined, settings: GatewaySettings, patterns: PathPatterns) {
    this.session = session
    this.policyProblem = problem
    this.settings = settings
    this.patterns = patterns
  }

  /** Returns what the keys may do on the API; `undefined`: no access. Compiled at the first call. */
  accessTo(api: ApiDefinition): ApiAccess | undefined {
    return this.compiled(api, this.byApi)
  }

  /** As `accessTo`, for a token of an OAuth client of this API: without any rights it may do everything on the API. */
  accessOfClientTo(api: ApiDefinition): ApiAccess | undefined {
    return this.compiled(api, this.byApiOfClient, { allowMasterKeys: true })
  }

  private compiled(
    api: ApiDefinition,
    byApi: Map<ApiDefinition, ApiAccess | undefined>,
    more: { readonly allowMasterKeys?: boolean } = {},
  ): ApiAccess | undefined {
    const known = byApi.get(api)
    if (known !== undefined || byApi.has(api)) return known
    const { session, settings, patterns } = this
    const access = compileApiAccess({ session, settings, patterns, ...more }, api)
    byApi.set(api, access)
    return access
  }
}

export class SessionProfiles {
  private readonly settings: GatewaySettings
  private readonly policies: () => PolicyBook
  private readonly patterns: PathPatterns
  private byOrg = new Map<string, WeakMap<Session, SessionProfile>>()

  constructor(settings: GatewaySettings, policies: () => PolicyBook) {
    this.settings = settings
    this.policies = policies
    this.patterns = makePathPatterns(settings.routing)
  }

  /** Finds or creates the profile of a session on the APIs of an organisation. */
  of(summary: SessionSummary, orgId: string): SessionProfile {
    const { rights } = summary
    let profiles = this.byOrg.get(orgId)
    if (profiles === undefined) {
      profiles = new WeakMap()
      this.byOrg.set(orgId, profiles)
    }
    let profile = profiles.get(rights)
    if (profile === undefined) {
      profile = this.make(rights, orgId)
      profiles.set(rights, profile)
    }
    return needsMetaData(profile, rights) ? this.make(summary.whole(), orgId) : profile
  }

  /** Applies policies to a stored session, if possible. */
  apply(session: Session, orgId: string): Session {
    return applyPolicies(session, this.policies(), { orgId }).session
  }

  /** Policies were replaced: profiles are compiled again at their next use. */
  clear(): void {
    this.byOrg = new Map()
  }

  private make(session: Session, orgId: string): SessionProfile {
    const applied = applyPolicies(session, this.policies(), { orgId })
    return new SessionProfile(applied.session, applied.problem, this.settings, this.patterns)
  }
}

/** Returns true if a policy names counters after metadata, which differ between keys. */
function needsMetaData({ session }: SessionProfile, rights: Session): boolean {
  return rights.metaData === null && session.metaData?.rate_limit_pattern !== undefined
}
