/**
 * The endpoints of an API below its listen path: those attached to the gateway, and the endpoint that shows the limits
 * of the caller's key (docs/reference/request-pipeline.md#rate-limits-endpoint). Costs one lookup per request, and
 * nothing for an API without endpoints.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import { makeCors } from '../1-accept/cors.ts'
import { makeOrgInactive } from '../1-accept/org-inactive.ts'
import type { Dispatch, Endpoint } from '../contract/endpoint.ts'
import type { Stage } from '../contract/stage.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { inPhase } from '../stage-order.ts'
import { type Chain, makeChain } from './chain.ts'
import { limitsChainOf } from './limits-chain.ts'

/** A version and the chain that serves it. */
export interface VersionChain {
  readonly version: ApiVersion
  readonly chain: Chain
}

export interface Endpoints {
  /**
   * Returns the endpoint at a path below the listen path or below `/{api_id}`. `path`: the path of the request;
   * `belowListenPath`: the same without the listen path. They are equal if the request was routed by the API id.
   * `limits`: the chain of the version handles the request with a subset of its stages.
   */
  at(path: string, belowListenPath: string): Endpoint | 'limits' | undefined
  /** Returns the chain of an attached endpoint. Its version is a placeholder whose rules do not apply. */
  own(endpoint: Endpoint): VersionChain
  /** Returns the chain for requests that read limits, made from the chain of the version. */
  limits(versionChain: VersionChain): Chain
}

const slash = 0x2f

/** Returns `undefined` if the API has no endpoints. Chains are made at their first request. */
export function makeEndpoints(
  api: ApiDefinition,
  services: StageServices,
  attached: readonly Endpoint[],
  dispatch: Dispatch,
): Endpoints | undefined {
  const vendor = services.settings.vendor.toLowerCase()
  const byPath = new Map<string, Endpoint | 'limits'>()
  if (api.authModes.length > 0) byPath.set(`/${vendor}/rate-limits/`, 'limits')
  for (const endpoint of attached) for (const path of endpoint.paths(api, vendor)) byPath.set(path, endpoint)
  const version = api.versions.values().next().value
  if (byPath.size === 0 || version === undefined) return undefined

  const idPart = `/${api.id}`
  const allEndInSlash = [...byPath.keys()].every((path) => path.endsWith('/'))
  const limitsOf = new Map<Chain, Chain>()
  const chains = new Map<Endpoint, Chain>()
  const makeOwn = (endpoint: Endpoint): Chain => {
    const own = endpoint.make({ api, version, services }, dispatch)
    const before = { 'org-inactive': makeOrgInactive, ...(endpoint.cors === true ? { cors: makeCors } : {}) }
    const stages = [...inPhase<Stage>('1-accept', before), { ...own, make: () => own }]
    return makeChain({ api, version, services }, { stages, responses: [], records: [] })
  }
  return {
    at(path, belowListenPath) {
      if (allEndInSlash && path.charCodeAt(path.length - 1) !== slash) return undefined
      // An id can begin with the listen path, so a request that matched the listen path can name the id as well.
      return (
        byPath.get(belowListenPath) ?? (path.startsWith(idPart) ? byPath.get(path.slice(idPart.length)) : undefined)
      )
    },
    own(endpoint) {
      const chain = chains.get(endpoint) ?? makeOwn(endpoint)
      chains.set(endpoint, chain)
      return { version, chain }
    },
    limits({ chain }) {
      let made = limitsOf.get(chain)
      if (made === undefined) {
        made = limitsChainOf(chain, services)
        limitsOf.set(chain, made)
      }
      return made
    },
  }
}
