/**
 * Metadata of the authorization server of an API (RFC 8414), from which clients learn its endpoints. Source:
 * docs/reference/oauth-endpoints.md#authorization-server-metadata.
 */
import { type ApiDefinition, originOf } from '@turnpike/core/definition'
import type { GatewayResponse } from '@turnpike/core/http'
import { jsonResponse, type OAuthCall, statusResponse } from './oauth-responses.ts'

export const metadataPath = '/.well-known/oauth-authorization-server'

/** The path at the root of the gateway: the well-known path before the path of the issuer (RFC 8414, section 3.1). */
export function rootMetadataPath(api: ApiDefinition): string {
  return metadataPath + issuerPath(api)
}

export async function serverMetadata({ request, api }: OAuthCall): Promise<GatewayResponse> {
  const origin = originOf(request)
  if (origin === undefined) return statusResponse(400, 'the Host header is missing or malformed')
  const issuer = origin + issuerPath(api)
  const { allowedAccessTypes, allowedAuthorizeTypes } = api.document.oauthMeta
  const responseTypes = allowedAuthorizeTypes ?? []
  const implicit = responseTypes.includes('token') ? ['implicit'] : []
  const authMethods = ['client_secret_basic', 'client_secret_post']
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: responseTypes,
    grant_types_supported: [...(allowedAccessTypes ?? []), ...implicit],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ['S256', 'plain'],
  }
  return jsonResponse(200, `${JSON.stringify(metadata)}\n`)
}

function issuerPath({ listenPath }: ApiDefinition): string {
  return listenPath.replace(/(?<!\/)\/+$/, '')
}
