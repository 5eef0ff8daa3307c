/** `oauth/token`: the token endpoint. Its responses must not be cached. Source: docs/reference/oauth-endpoints.md#token-endpoint. */
import { type GatewayResponse, type HeaderPairs, headerOf } from '@turnpike/core/http'
import { type Form, formTextOf, parseForm, parseJsonForm } from '../form.ts'
import type { IssuedTokens } from '../token-store.ts'
import { clientRejection, jsonResponse, type OAuthCall } from './oauth-responses.ts'

const securityHeaders: HeaderPairs = [
  ...['cache-control', 'no-cache, no-store, must-revalidate', 'pragma', 'no-cache', 'expires', '0'],
  ...['x-content-type-options', 'nosniff', 'x-xss-protection', '1; mode=block', 'x-frame-options', 'DENY'],
  ...['strict-transport-security', 'max-age=63072000; includeSubDomains'],
]

export async function giveToken(call: OAuthCall): Promise<GatewayResponse> {
  const { request, apiOAuth, api } = call
  const outcome = await apiOAuth.token({
    method: request.method,
    authorization: headerOf(request.headers, 'authorization'),
    form: tokenForm(call),
    address: call.address,
    checkSecret: call.checkSecret,
  })
  if (outcome.kind !== 'issued') return clientRejection(outcome, api.name, securityHeaders)
  return jsonResponse(200, `${JSON.stringify(toWireTokens(outcome))}\n`, securityHeaders)
}

/** The tokens in the form of a response. */
export function toWireTokens({ accessToken, refreshToken, expiresIn, scope }: IssuedTokens): object {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    ...(refreshToken === '' ? {} : { refresh_token: refreshToken }),
    ...(scope === '' ? {} : { scope }),
  }
}

/** A form, or a JSON object of texts if the content type says so. */
function tokenForm({ request, body }: OAuthCall): Form | undefined {
  const type = headerOf(request.headers, 'content-type')
  return type === 'application/json' ? parseJsonForm(body) : parseForm(formTextOf(body, type))
}
