/**
 * What an API answers itself at paths of the vendor's below its listen path, before its chain: batches of requests,
 * calls of OAuth 2.0, and what is left of a key's limits. An API that offers none of them pays nothing; one that does pays a glance at the
 * last character of a path. Source: spec/apis-and-pipeline.md 3, 7.
 */
import { type HandleItem, makeBatchStage } from '../../batch/make-batch-stage.ts'
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import { makeOrgInactive } from '../1-accept/org-inactive.ts'
import type { Scope } from '../contract/stage.ts'
import type { Tools } from '../contract/tools.ts'
import { makeOAuthChain, type OAuthEndpoint, oauthEndpoints, oauthPaths } from '../oauth-chain.ts'
import { type Chain, makeChain } from './chain.ts'
import { limitsChainOf } from './limits-chain.ts'

/** `limits`: answered by a part of the version's chain; all others by a chain of their own. */
export type Endpoint = OwnEndpoint | 'limits'
export type OwnEndpoint = 'batch' | OAuthEndpoint

/** A version and the chain that serves it. */
export interface Way {
  readonly version: ApiVersion
  readonly chain: Chain
}

export interface Endpoints {
  /** The endpoint at a path behind the listen path, which takes `matched` characters (0: below the API's id). */
  at(path: string, matched: number): Endpoint | undefined
  /** Its version is only a form: no rule of it is looked at. */
  own(endpoint: OwnEndpoint): Way
  /** What asking for limits is on the way of an ordinary request. */
  limits(way: Way): Chain
}

const slash = 0x2f

/** `undefined`: the API has no endpoints. Chains are made at the first request for them. */
export function makeEndpoints(api: ApiDefinition, tools: Tools, handle: HandleItem): Endpoints | undefined {
  const vendor = tools.settings.vendor.toLowerCase()
  const batchPath = `/${vendor}/batch/`
  const byPath = new Map<string, Endpoint>()
  // An MCP proxy speaks in messages, not in requests.
  const isMcp = api.document.applicationProtocol === 'mcp'
  if (api.document.enableBatchRequestSupport && !isMcp) byPath.set(batchPath, 'batch')
  if (api.authModes.length > 0) byPath.set(`/${vendor}/rate-limits/`, 'limits')
  const { oauth } = tools
  const hasOAuth = oauth !== undefined && api.authModes.includes('oauth')
  if (hasOAuth) {
    const paths = oauthPaths(vendor)
    for (const name of oauthEndpoints) byPath.set(paths[name], name).set(`${paths[name]}/`, name)
  }
  const version = api.versions.values().next().value
  if (byPath.size === 0 || version === undefined) return undefined

  const idPart = api.id.length + 1
  const limitsOf = new Map<Chain, Chain>()
  const chains = new Map<OwnEndpoint, Chain>()
  const makeOwn = (scope: Scope, endpoint: OwnEndpoint): Chain => {
    if (endpoint !== 'batch' && oauth !== undefined) return makeOAuthChain(scope, oauth, endpoint)
    const stage = () => makeBatchStage(scope, batchPath, handle)
    return makeChain(scope, { stages: [makeOrgInactive, stage], responses: [], records: [] })
  }
  return {
    at(path, matched) {
      if (!hasOAuth && path.charCodeAt(path.length - 1) !== slash) return undefined
      return byPath.get(matched === 0 ? path.slice(idPart) : path)
    },
    own(endpoint) {
      const chain = chains.get(endpoint) ?? makeOwn({ api, version, tools }, endpoint)
      chains.set(endpoint, chain)
      return { version, chain }
    },
    limits({ chain }) {
      let made = limitsOf.get(chain)
      if (made === undefined) {
        made = limitsChainOf(chain, tools)
        limitsOf.set(chain, made)
      }
      return made
    },
  }
}
