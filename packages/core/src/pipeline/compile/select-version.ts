/**
 * Which version of an API serves a request: first among the definitions of its family, then inside the definition.
 * `route/resolve-version.ts` finds the name of the version in the request; this file finds the chain
 * (docs/reference/versions.md).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { makeFamilyResolver, makeVersionResolver, type NoVersion, type Stripped } from '../../route/resolve-version.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { RequestSpan } from '../contract/tracing.ts'
import type { StageOrder } from '../stage-order.ts'
import { makeChain } from './chain.ts'
import type { VersionChain } from './endpoints.ts'
import { makeVersionRejections } from './version-rejections.ts'

/** How the path and the version of a request were matched. Selecting the version sets `stripped` and `byDefault`. */
export interface RouteMatch {
  readonly matched: number
  /** Path below the listen path, with a leading slash. */
  readonly apiPath: string
  /** Path, query and headers without the name of the version; `undefined` if nothing is stripped. */
  stripped: Stripped | undefined
  /** Name of the version that was chosen by default; empty if the request names one or there are none. */
  byDefault: string
  readonly readsLimits: boolean
  readonly span: RequestSpan | undefined
}

/** The version that the base API of a family selected. */
export interface FamilySelection extends Stripped {
  readonly byDefault: boolean
  readonly name: string
  /** The request reads the limits of its key. */
  readonly readsLimits: boolean
}

/** Another API of the family, which serves the request. */
interface FamilyMember<Api> extends FamilySelection {
  readonly api: Api
}

export class VersionSelector<Api> {
  /** Serves every request that this API gets; `undefined` if it has named versions. */
  private readonly only: VersionChain | undefined
  private readonly chains = new Map<string, VersionChain>()
  private readonly resolveFamily: ReturnType<typeof makeFamilyResolver> | undefined
  private readonly resolveVersion: ReturnType<typeof makeVersionResolver>
  private readonly findApi: (apiId: string) => Api | undefined
  /** The chain that rejects a request without a version. */
  readonly rejection: (kind: NoVersion, family: boolean) => VersionChain

  constructor(
    api: ApiDefinition,
    services: StageServices,
    order: StageOrder,
    findApi: (apiId: string) => Api | undefined,
  ) {
    for (const [name, version] of api.versions) {
      this.chains.set(name, { version, chain: makeChain({ api, version, services }, order) })
    }
    this.only = api.versioning.kind === 'none' ? this.chains.values().next().value : undefined
    this.resolveFamily = api.family === undefined ? undefined : makeFamilyResolver(api.family)
    this.resolveVersion = makeVersionResolver(api)
    this.findApi = findApi
    this.rejection = makeVersionRejections(api, services, order.records)
  }

  /** The version of an API that is not versioned in any way, so that nothing has to be selected. */
  get unversioned(): VersionChain | undefined {
    return this.resolveFamily === undefined ? this.only : undefined
  }

  /** Selects a member of the family, which may be this API itself, and then a version inside this definition. */
  select(request: GatewayRequest, match: RouteMatch): VersionChain | FamilyMember<Api> {
    const { resolveFamily } = this
    if (resolveFamily === undefined) return this.selectInside(request, match)
    const choice = resolveFamily({ headers: request.headers, query: request.query, path: match.apiPath })
    if (choice.kind === 'self') {
      match.stripped = choice
      match.byDefault = choice.byDefault ? choice.name : ''
      return this.selectInside(request, match)
    }
    const api = choice.kind === 'child' ? this.findApi(choice.apiId) : undefined
    if (api !== undefined && choice.kind === 'child') return { ...choice, readsLimits: match.readsLimits, api }
    return this.rejection(choice.kind === 'missing' ? 'missing' : 'unknown', true)
  }

  /** Selects a version inside this definition. */
  selectInside(request: GatewayRequest, match: RouteMatch): VersionChain {
    if (this.only !== undefined) return this.only
    const { headers } = request
    const path = match.stripped?.path ?? match.apiPath
    const choice = this.resolveVersion({ headers, query: match.stripped?.query ?? request.query, path })
    if (choice.kind !== 'version') return this.rejection(choice.kind, false)
    match.stripped = choice
    if (choice.byDefault) match.byDefault = choice.version.name
    return this.chains.get(choice.version.name) as VersionChain
  }
}
