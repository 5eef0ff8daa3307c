/**
 * `oauth/authorize` redirects the user to the login page; with `svc/oauth/authorize-client` that page approves the request.
 * Source: docs/reference/oauth-endpoints.md#authorize-endpoint.
 */
import type { GatewayResponse } from '@turnpike/core/http'
import { errorRedirect } from '../authorization.ts'
import { oauthErrorTexts } from '../oauth-errors.ts'
import { formOf, malformedForm, type OAuthCall, rejectionResponse, statusResponse } from './oauth-responses.ts'
import { toWireTokens } from './token-responses.ts'

export async function authorize(call: OAuthCall): Promise<GatewayResponse> {
  const form = formOf(call)
  if (form === undefined) return malformedForm()
  const rejected = await call.apiOAuth.authorization.check(form)
  if (rejected !== undefined) return statusResponse(rejected.rejection.status, oauthErrorTexts[rejected.rejection.code])
  const { request, api } = call
  const page = api.document.oauthMeta.authLoginRedirect
  const location = request.method === 'GET' ? `${page}?${request.query}` : page
  return { status: 307, headers: ['location', location, 'cache-control', 'no-store'], body: '' }
}

/** Members of the response to an approval, in the recorded order. */
const approvalMembers = ['access_token', 'code', 'expires_in', 'redirect_to', 'scope', 'state', 'token_type']

export async function approve(call: OAuthCall): Promise<GatewayResponse> {
  const form = formOf(call)
  if (form === undefined) return malformedForm()
  const outcome = await call.apiOAuth.authorization.approve(form)
  const state = form.get('state')
  const echoed = state === '' ? {} : { state }
  if (outcome.kind === 'rejected') {
    const { rejection, redirectUri } = outcome
    const redirect = redirectUri === undefined ? {} : { redirect_to: errorRedirect(redirectUri, rejection.code, state) }
    return rejectionResponse(rejection, { ...echoed, ...redirect })
  }
  const { redirectTo } = outcome
  const given = outcome.kind === 'code' ? { code: outcome.code } : toWireTokens(outcome.issued)
  const body = JSON.stringify({ ...given, redirect_to: redirectTo, ...echoed }, approvalMembers)
  // The login page of the original gateway gets the JSON under this type.
  const headers = ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store']
  return { status: 200, headers, body: `${body}\n` }
}
