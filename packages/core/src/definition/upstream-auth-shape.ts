/**
 * `upstream_auth` of definitions, and what the stage and the lint decide about it
 * (docs/reference/upstream-authentication.md).
 */
import { boolean, described, list, type Of, object, text } from '../lib/shape/shape.ts'
import type { ServingProblem } from './definition-problem.ts'
import { parseTargetUrl } from './target-url.ts'

const upstreamHeaderShape = object({
  enabled: described('Uses `name`.', boolean),
  name: described('Header with the credential. Default: Authorization.', text),
})
const upstreamGrant = {
  enabled: described('Switches the grant on; `allowed_authorize_types` or the token URL selects it.', boolean),
  clientId: described('Id of the client at the authorization server.', text),
  clientSecret: described('Secret of the client at the authorization server.', text),
  tokenUrl: described('URL of the token endpoint.', text),
  scopes: described('Scopes that the gateway requests.', list(text)),
  header: upstreamHeaderShape,
  extraMetadata: list(text),
}

export const upstreamAuthShape = object({
  enabled: described('Switches upstream authentication on.', boolean),
  basicAuth: object({
    enabled: described('Sends user name and password.', boolean),
    username: described('User name; it must not contain a colon.', text),
    password: described('Password.', text),
    header: upstreamHeaderShape,
  }),
  oauth: object({
    enabled: described('Sends an access token (RFC 6749).', boolean),
    allowedAuthorizeTypes: described(
      'The one grant: clientCredentials or password. Default: the grant that has a token URL.',
      list(text),
    ),
    clientCredentials: object(upstreamGrant),
    password: object({
      ...upstreamGrant,
      username: described('Name of the resource owner.', text),
      password: described('Password of the resource owner.', text),
    }),
  }),
})

export type UpstreamAuth = Of<typeof upstreamAuthShape>

/** The grant that the definition names, or otherwise the one that has a token URL; `undefined`: none or several. */
export function grantTypeOf(oauth: UpstreamAuth['oauth']): 'clientCredentials' | 'password' | undefined {
  const types = oauth.allowedAuthorizeTypes ?? []
  if (types.length > 1) return undefined
  const [type] = types
  if (type === 'clientCredentials' || type === 'password') return type
  if (type !== undefined) return undefined
  if (oauth.clientCredentials.tokenUrl !== '') return 'clientCredentials'
  return oauth.password.tokenUrl === '' ? undefined : 'password'
}

/**
 * Why the gateway cannot authenticate itself, with the path below `upstream_auth`; `undefined`: it can. Values of secrets
 * are already resolved.
 */
export function upstreamAuthProblem({ basicAuth, oauth }: UpstreamAuth): ServingProblem | undefined {
  if (basicAuth.enabled && oauth.enabled) return { path: [], message: 'enables both basic_auth and oauth; use one' }
  if (basicAuth.enabled) {
    if (!basicAuth.username.includes(':')) return undefined
    return { path: ['basic_auth', 'username'], message: 'contains a colon, which RFC 7617 does not allow' }
  }
  const type = grantTypeOf(oauth)
  if (type === undefined) {
    const message = 'must name one grant, clientCredentials or password'
    return { path: ['oauth', 'allowed_authorize_types'], message }
  }
  const { tokenUrl, clientId } = type === 'password' ? oauth.password : oauth.clientCredentials
  const path = ['oauth', type === 'password' ? 'password' : 'client_credentials']
  const { origin, scheme } = parseTargetUrl(tokenUrl) ?? { origin: '', scheme: '' }
  if (origin === '' || (scheme !== 'http' && scheme !== 'https')) {
    return { path: [...path, 'token_url'], message: 'is not an http or https URL' }
  }
  return clientId === '' ? { path: [...path, 'client_id'], message: 'is empty' } : undefined
}
