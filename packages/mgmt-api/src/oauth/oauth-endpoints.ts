/**
 * The endpoints of the OAuth 2.0 server below the listen path of each API that uses it: authorization, approval,
 * tokens, revocation. Source: docs/reference/oauth-endpoints.md#oauth-paths.
 */

import type { ApiDefinition } from '@turnpike/core/definition'
import { type GatewayRequest, type GatewayResponse, headerOf, type Rejection, rejections } from '@turnpike/core/http'
import {
  type CompileContext,
  type Endpoint,
  guessAddressOf,
  maxBufferedRequestBytes,
  type Stage,
} from '@turnpike/core/pipeline'
import { PasswordsBusyError, StoreUnavailableError } from '@turnpike/core/ports'
import { readRequestBody } from '../http/read-request-body.ts'
import type { Reply } from '../http/reply.ts'
import { keyHeaderOf, makeKeyCheck } from '../http/secret.ts'
import { makeClientSecretCheck } from './client-authentication.ts'
import type { ApiOAuth, OAuth } from './oauth.ts'
import { approve, authorize } from './responses/authorization-responses.ts'
import { methodNotSupported, type OAuthCall } from './responses/oauth-responses.ts'
import { revoke, revokeAll } from './responses/revocation-responses.ts'
import { metadataPath, rootMetadataPath, serverMetadata } from './responses/server-metadata.ts'
import { giveToken } from './responses/token-responses.ts'

interface OAuthEndpoint {
  readonly name: string
  /** Below the listen path, without a trailing slash; `svc` for the vendor word. */
  readonly path: string
  /** `undefined` allows any method. */
  readonly methods: readonly string[] | undefined
  readonly needsManagementKey?: true
  /** A further path at the root of the gateway. */
  rootPath?(api: ApiDefinition): string
  response(call: OAuthCall): Promise<GatewayResponse>
}

const endpoints: readonly OAuthEndpoint[] = [
  { name: 'authorize', path: '/oauth/authorize', methods: ['GET', 'POST'], response: authorize },
  { name: 'token', path: '/oauth/token', methods: ['GET', 'POST'], response: giveToken },
  { name: 'revoke', path: '/oauth/revoke', methods: undefined, response: revoke },
  { name: 'revoke-all', path: '/oauth/revoke_all', methods: undefined, response: revokeAll },
  {
    name: 'approve',
    path: '/svc/oauth/authorize-client',
    methods: ['POST'],
    needsManagementKey: true,
    response: approve,
  },
]

/** Only with `oauth_rfc6749_errors`, since as recorded the path belongs to the upstream. */
const metadataEndpoint: OAuthEndpoint = {
  name: 'metadata',
  path: metadataPath,
  methods: ['GET'],
  rootPath: rootMetadataPath,
  response: serverMetadata,
}

/** Maximum length of a body in bytes: credentials and at most a session. */
const maxBodyBytes = 1024 * 1024

/** `managementKey`: an approval requires it. */
export function makeOAuthEndpoints(oauth: OAuth, managementKey: string): readonly Endpoint[] {
  const served = oauth.settings.rfc6749 ? [...endpoints, metadataEndpoint] : endpoints
  return served.map((endpoint) => ({
    cors: true,
    rootPath: (api) => (api.document.useOauth2 ? endpoint.rootPath?.(api) : undefined),
    paths(api, vendor) {
      // A keyless API has these paths too, although it needs no token.
      if (!api.document.useOauth2) return []
      const path = endpoint.path.replace(/^\/svc\//, `/${vendor}/`)
      return [path, `${path}/`]
    },
    make: (compileContext) => makeOAuthStage(compileContext, oauth, endpoint, managementKey),
  }))
}

function makeOAuthStage(
  { api, services }: CompileContext,
  oauth: OAuth,
  endpoint: OAuthEndpoint,
  managementKey: string,
): Stage {
  const limit = Math.min(maxBufferedRequestBytes(services), maxBodyBytes)
  const keyHeader = keyHeaderOf(services.settings.vendor)
  const checkKey = makeKeyCheck(managementKey, services.clock)
  const response = async (request: GatewayRequest, apiOAuth: ApiOAuth): Promise<GatewayResponse | Rejection> => {
    const body = await readRequestBody(request, limit, () => rejections.bodyTooLarge)
    if (!(body instanceof Uint8Array)) return body
    try {
      const address = guessAddressOf(request, services.settings.routing)
      const checkSecret = makeClientSecretCheck(services.clock, address)
      return await endpoint.response({ request, body, api, apiOAuth, address, checkSecret, settings: oauth.settings })
    } catch (cause) {
      // No later stage may respond instead.
      if (cause instanceof StoreUnavailableError) return rejections.storeUnavailable
      if (cause instanceof PasswordsBusyError) return rejections.passwordsBusy
      throw cause
    }
  }
  return {
    name: `oauth-${endpoint.name}`,
    phase: '5-respond',
    async run({ request, trace }) {
      if (endpoint.needsManagementKey) {
        const address = guessAddressOf(request, services.settings.routing)
        const rejection = await checkKey(headerOf(request.headers, keyHeader), address)
        if (rejection !== undefined) return rejectionOf(rejection)
      }
      if (endpoint.methods?.includes(request.method) === false) return methodNotSupported(endpoint.methods)
      trace?.note(`OAuth: ${endpoint.name}`)
      if (trace?.dry) return { status: 200, headers: [], body: '' }
      return response(request, oauth.of(api))
    },
  }
}

function rejectionOf({ status, headers, body }: Reply): GatewayResponse {
  return { status, headers: Object.entries(headers).flat(), body }
}
