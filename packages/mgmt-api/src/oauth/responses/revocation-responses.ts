/**
 * `oauth/revoke` and `oauth/revoke_all` of an API: the holder of a token can revoke it, or, with
 * `oauth_rfc6749_errors`, only its client; a client can revoke all its tokens. Source:
 * docs/reference/oauth-endpoints.md#oauth-paths, RFC 7009.
 */
import { type GatewayResponse, headerOf } from '@turnpike/core/http'
import { authenticateClient, readClientCredentials } from '../client-authentication.ts'
import { formTextOf, parseForm } from '../form.ts'
import { makeRejections, rejectionForSeconds } from '../oauth-errors.ts'
import { clientRejection, formOf, malformedForm, type OAuthCall, statusResponse } from './oauth-responses.ts'

export async function revoke(call: OAuthCall): Promise<GatewayResponse> {
  if (call.settings.rfc6749) return revokeOwn(call)
  const form = formOf(call)
  if (form === undefined) return malformedForm()
  const token = form.get('token')
  if (token === '') return statusResponse(400, 'token is required')
  const hint = form.get('token_type_hint')
  const { tokens } = call.apiOAuth
  if (hint !== 'refresh_token') await tokens.revokeAccess(token)
  if (hint !== 'access_token') await tokens.consumeRefreshToken(token)
  return statusResponse(200, 'token revoked successfully')
}

/**
 * Revocation by RFC 7009: the client authenticates, and only its own tokens are revoked. The response to an unknown
 * token or another client's is the same, so it reveals nothing. The hint is not needed.
 */
async function revokeOwn({ request, body, apiOAuth, api, settings, checkSecret }: OAuthCall): Promise<GatewayResponse> {
  const { clients, tokens } = apiOAuth
  const rejections = makeRejections(settings)
  // Credentials in the query would end up in logs, so only the body counts.
  const form = parseForm(formTextOf(body, headerOf(request.headers, 'content-type')))
  const token = form?.get('token') ?? ''
  if (request.method !== 'POST' || form === undefined || token === '')
    return clientRejection(rejections.badRequest, api.name)
  const credentials = readClientCredentials(headerOf(request.headers, 'authorization'), form, settings)
  if (credentials === undefined) return clientRejection(rejections.badRequest, api.name)
  const client = await authenticateClient(credentials, clients.find, checkSecret)
  if (client === undefined || client === 'wrong-secret') return clientRejection(rejections.noClient, api.name)
  if ('retryAfterSeconds' in client) return clientRejection(rejectionForSeconds(client.retryAfterSeconds), api.name)
  if ((await tokens.clientOf(token)) === client.id) await tokens.revokeAccess(token)
  const refresh = await tokens.findRefresh(token)
  if (refresh?.client.id === client.id) {
    await tokens.consumeRefreshToken(token)
    // The access token of the same grant ends with it (RFC 7009, section 2.1).
    await tokens.revokeAccess(refresh.accessToken)
  }
  return statusResponse(200, 'token revoked successfully')
}

export async function revokeAll(call: OAuthCall): Promise<GatewayResponse> {
  const form = formOf(call)
  if (form === undefined) return malformedForm()
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  if (clientId === '') return statusResponse(401, 'client_id is required')
  if (secret === '') return statusResponse(401, 'client_secret is required')
  const { clients, tokens } = call.apiOAuth
  const client = await clients.find(clientId)
  if (client === undefined) return statusResponse(404, 'error getting oauth client')
  const verdict = await call.checkSecret(client, [secret])
  if (verdict === 'wrong') return statusResponse(401, 'client secret is wrong')
  if (verdict !== 'right') return clientRejection(rejectionForSeconds(verdict.retryAfterSeconds), call.api.name)
  await tokens.revokeAll(clientId)
  return statusResponse(200, 'tokens revoked successfully')
}
