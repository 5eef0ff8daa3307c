/**
 * What an API with OAuth 2.0 answers itself below its listen path: authorisation, approval, tokens, revocation. Only the
 * check of the organisation and the API's CORS settings go before it. Source: spec/oauth-certs-reload.md 2.
 */

import type { ApiDefinition } from '../definition/api-definition.ts'
import { BodyTooLarge, collect } from '../http/byte-stream.ts'
import { type Rejection, rejections } from '../http/errors.ts'
import { headerOf } from '../http/headers.ts'
import type { Answer, GatewayRequest } from '../http/http.ts'
import { approve, authorize } from '../oauth/answers/authorization-answers.ts'
import { methodNotSupported } from '../oauth/answers/oauth-answers.ts'
import type { OAuthCall } from '../oauth/answers/oauth-call.ts'
import { revoke, revokeAll } from '../oauth/answers/revocation-answers.ts'
import { giveToken } from '../oauth/answers/token-answers.ts'
import type { ApiOAuth, OAuth } from '../oauth/oauth.ts'
import { StoreAway } from '../ports/store.ts'
import { makeCors } from './1-accept/cors.ts'
import { makeOrgInactive } from './1-accept/org-inactive.ts'
import { type Chain, makeChain } from './compile/chain.ts'
import type { Scope, Stage } from './contract/stage.ts'
import { heldBodyLimit } from './shared/request-body.ts'

/** Calls of the endpoints, by name. */
export const oauthEndpoints = ['authorize', 'token', 'revoke', 'revoke-all', 'approve'] as const
export type OAuthEndpoint = (typeof oauthEndpoints)[number]

/** Paths of the endpoints behind the listen path, without a slash at their end. */
export function oauthPaths(vendor: string): Readonly<Record<OAuthEndpoint, string>> {
  return {
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    revoke: '/oauth/revoke',
    'revoke-all': '/oauth/revoke_all',
    approve: `/${vendor}/oauth/authorize-client`,
  }
}

interface Endpoint {
  /** `undefined`: any. */
  readonly methods: readonly string[] | undefined
  readonly needsManagementKey?: true
  answer(call: OAuthCall): Promise<Answer>
}

const endpoints: Readonly<Record<OAuthEndpoint, Endpoint>> = {
  authorize: { methods: ['GET', 'POST'], answer: authorize },
  token: { methods: ['GET', 'POST'], answer: giveToken },
  revoke: { methods: undefined, answer: revoke },
  'revoke-all': { methods: undefined, answer: revokeAll },
  approve: { methods: ['POST'], needsManagementKey: true, answer: approve },
}

/** Longest body of a call: credentials, and at most a session. */
const maxBodyBytes = 1024 * 1024
const noBody = new Uint8Array(0)

export function makeOAuthChain(scope: Scope, oauth: OAuth, name: OAuthEndpoint): Chain {
  const stage = () => makeOAuthStage(scope, oauth, name)
  return makeChain(scope, { stages: [makeOrgInactive, makeCors, stage], responses: [], records: [] })
}

function makeOAuthStage({ api, tools }: Scope, oauth: OAuth, name: OAuthEndpoint): Stage {
  const endpoint = endpoints[name]
  const limit = Math.min(heldBodyLimit(tools), maxBodyBytes)
  const keyHeader = `x-${tools.settings.vendor.toLowerCase()}-authorization`
  const answer = async (request: GatewayRequest, own: ApiOAuth): Promise<Answer | Rejection> => {
    const body = await readBody(request, limit)
    if (!(body instanceof Uint8Array)) return body
    try {
      return await endpoint.answer(callOf(request, body, api, own, oauth))
    } catch (cause) {
      // Nothing comes behind that could answer in its place.
      if (cause instanceof StoreAway) return rejections.storeAway
      throw cause
    }
  }
  return {
    name: `oauth-${name}`,
    phase: '5-answer',
    run({ request, trace }) {
      if (endpoint.needsManagementKey && !tools.isManagementKey?.(headerOf(request.headers, keyHeader))) {
        return rejectManagement()
      }
      if (endpoint.methods?.includes(request.method) === false) return methodNotSupported(endpoint.methods)
      trace?.note(`OAuth: ${name}`)
      if (trace?.dry) return { status: 200, headers: [], body: '' }
      return answer(request, oauth.of(api))
    },
  }
}

function callOf(request: GatewayRequest, body: Uint8Array, api: ApiDefinition, own: ApiOAuth, oauth: OAuth): OAuthCall {
  return { request, body, api, own, settings: oauth.settings }
}

async function readBody(request: GatewayRequest, limit: number): Promise<Uint8Array | Rejection> {
  if (request.body === undefined) return noBody
  if ((request.bodyLength ?? 0) > limit) return rejections.bodyTooLarge
  return collect(request.body, limit).catch((cause: unknown) =>
    cause instanceof BodyTooLarge ? rejections.bodyTooLarge : rejections.clientGone,
  )
}

function rejectManagement(): Answer {
  const message = 'Attempted administrative access with invalid or missing key!'
  const body = `${JSON.stringify({ status: 'error', message })}\n`
  return { status: 403, headers: ['content-type', 'application/json'], body }
}
