/**
 * Adds the gateway's own credentials for the upstream (docs/reference/upstream-authentication.md). Without them, a request
 * is rejected instead of sent.
 */
import { type TokenGrant, UpstreamToken } from '../../auth/upstream/upstream-token.ts'
import { isUnresolved } from '../../definition/resolve-secrets.ts'
import { grantTypeOf, type UpstreamAuth, upstreamAuthProblem } from '../../definition/upstream-auth-shape.ts'
import { removeHeader } from '../../http/headers.ts'
import { rejections } from '../../http/rejections.ts'
import { when } from '../../lib/maybe.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Stage } from '../contract/stage.ts'

export const makeUpstreamAuth: MakeStage = (compileContext) => {
  const { upstreamAuth } = compileContext.api.document
  if (upstreamAuth === null || !upstreamAuth.enabled) return null
  if (!upstreamAuth.basicAuth.enabled && !upstreamAuth.oauth.enabled) return null
  return {
    run: isUsable(upstreamAuth) ? makeRun(compileContext) : () => rejections.upstreamAuthInvalid,
  }
}

/** A reference to a missing secret is no credential. */
function isUsable(upstreamAuth: UpstreamAuth): boolean {
  const { basicAuth, oauth } = upstreamAuth
  const { clientCredentials, password } = oauth
  const credentials = basicAuth.enabled
    ? [basicAuth.username, basicAuth.password]
    : grantTypeOf(oauth) === 'password'
      ? [password.clientId, password.clientSecret, password.username, password.password]
      : [clientCredentials.clientId, clientCredentials.clientSecret]
  return upstreamAuthProblem(upstreamAuth) === undefined && !credentials.some(isUnresolved)
}

function makeRun(compileContext: CompileContext): Stage['run'] {
  const { upstreamAuth } = compileContext.api.document
  if (upstreamAuth?.basicAuth.enabled) {
    const { username, password, header } = upstreamAuth.basicAuth
    const value = `Basic ${encodeBase64(utf8Bytes(`${username}:${password}`))}`
    return (context) => setCredentials(context, headerName(header), value)
  }
  return makeTokenRun(compileContext)
}

function makeTokenRun({ api, services }: CompileContext): Stage['run'] {
  const { oauth } = api.document.upstreamAuth ?? {}
  const { fetch, clock, log, settings } = services
  if (oauth === undefined || fetch === undefined) return () => rejections.upstreamTokenMissing
  const grantType = grantTypeOf(oauth)
  const settingsOfGrant = grantType === 'password' ? oauth.password : oauth.clientCredentials
  const { scopes, tokenUrl, clientId, clientSecret, header } = settingsOfGrant
  const grant: TokenGrant = {
    tokenUrl,
    clientId,
    clientSecret,
    fields: {
      grant_type: grantType === 'password' ? 'password' : 'client_credentials',
      ...(grantType === 'password' ? { username: oauth.password.username, password: oauth.password.password } : {}),
      ...(scopes === null || scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    },
  }
  const insecure = settings.upstream.insecure || api.document.proxy.transport.sslInsecureSkipVerify
  const token = new UpstreamToken(grant, { apiId: api.id, fetch, clock, log, insecure })
  const name = headerName(header)
  return (context) => {
    if (context.trace?.dry) {
      context.trace.note(`would request an access token from ${tokenUrl}`)
      return undefined
    }
    return when(token.find(), (found) =>
      found === undefined ? rejections.upstreamTokenMissing : setCredentials(context, name, `Bearer ${found}`),
    )
  }
}

function headerName({ enabled, name }: { readonly enabled: boolean; readonly name: string }): string {
  return enabled && name !== '' ? name.toLowerCase() : 'authorization'
}

/** Replaces the client's header of that name. */
function setCredentials({ outgoing }: RequestContext, name: string, value: string): undefined {
  const headers = outgoing.ownHeaders()
  removeHeader(headers, name)
  headers.push(name, value)
}
