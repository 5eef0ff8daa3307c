/**
 * What an API answers itself below its listen path, before its chain: the endpoints that are attached to the gateway,
 * and the limits of the caller's key. An API without endpoints pays nothing; any other pays one lookup per request.
 * Source: spec/apis-and-pipeline.md 3, 7.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import { makeCors } from '../1-accept/cors.ts'
import { makeOrgInactive } from '../1-accept/org-inactive.ts'
import type { Dispatch, Endpoint } from '../contract/endpoint.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { type Chain, makeChain } from './chain.ts'
import { limitsChainOf } from './limits-chain.ts'

/** A version and the chain that serves it. */
export interface Way {
  readonly version: ApiVersion
  readonly chain: Chain
}

export interface Endpoints {
  /**
   * The endpoint at a path behind the listen path, which takes `matched` characters (0: below the API's id).
   * `limits` is answered by a part of the version's chain.
   */
  at(path: string, matched: number): Endpoint | 'limits' | undefined
  /** The chain of an attached endpoint. Its version is a placeholder: none of its rules apply. */
  own(endpoint: Endpoint): Way
  /** The chain that answers a request for limits, made from the chain of an ordinary request. */
  limits(way: Way): Chain
}

const slash = 0x2f

/** `undefined`: the API has no endpoints. Chains are made at the first request for them. */
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

  const idPart = api.id.length + 1
  const allEndInSlash = [...byPath.keys()].every((path) => path.endsWith('/'))
  const limitsOf = new Map<Chain, Chain>()
  const chains = new Map<Endpoint, Chain>()
  const makeOwn = (endpoint: Endpoint): Chain => {
    const stage = () => endpoint.make({ api, version, services }, dispatch)
    const stages = endpoint.cors === true ? [makeOrgInactive, makeCors, stage] : [makeOrgInactive, stage]
    return makeChain({ api, version, services }, { stages, responses: [], records: [] })
  }
  return {
    at(path, matched) {
      if (allEndInSlash && path.charCodeAt(path.length - 1) !== slash) return undefined
      return byPath.get(matched === 0 ? path.slice(idPart) : path)
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
