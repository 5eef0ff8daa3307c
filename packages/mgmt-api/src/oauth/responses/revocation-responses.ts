/**
 * `oauth/revoke` and `oauth/revoke_all` of an API: the holder of a token may revoke it, and a client may revoke all its
 * tokens with its secret. Source: docs/reference/oauth-endpoints.md#oauth-paths, RFC 7009.
 */
import { type GatewayResponse, isSecret } from '@turnpike/core'
import { formOf, type OAuthCall } from './oauth-call.ts'
import { statusResponse } from './oauth-responses.ts'

const brokenForm = () => statusResponse(400, 'cannot parse form. Form malformed')

export async function revoke(call: OAuthCall): Promise<GatewayResponse> {
  const form = formOf(call)
  if (form === undefined) return brokenForm()
  const token = form.get('token')
  if (token === '') return statusResponse(400, 'token is required')
  const hint = form.get('token_type_hint')
  const { tokens } = call.own
  if (hint !== 'refresh_token') await tokens.revokeAccess(token)
  if (hint !== 'access_token') await tokens.spendRefresh(token)
  return statusResponse(200, 'token revoked successfully')
}

export async function revokeAll(call: OAuthCall): Promise<GatewayResponse> {
  const form = formOf(call)
  if (form === undefined) return brokenForm()
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  if (clientId === '') return statusResponse(401, 'client_id is required')
  if (secret === '') return statusResponse(401, 'client_secret is required')
  const { clients, tokens } = call.own
  const client = await clients.find(clientId)
  if (client === undefined) return statusResponse(404, 'error getting oauth client')
  if (!isSecret(secret, client.secret)) return statusResponse(401, 'client secret is wrong')
  await tokens.revokeAll(clientId)
  return statusResponse(200, 'tokens revoked successfully')
}
