/**
 * `GET /tap` and `GET /sso`: a token becomes a session. `sign-on-tokens.ts` checks and consumes the token, in every
 * case. A client cannot distinguish unknown, expired and used tokens. Source: docs/reference/dashboard-sso.md#login.
 */
import type { Ids, Log } from '@turnpike/core/ports'
import type { DashboardOptions } from '../dashboard-options.ts'
import { type Section, setCookie } from '../http/cookie.ts'
import { failure, notAuthorised } from '../http/reply.ts'
import { findOrganisation, findUser } from './people.ts'
import { permissionsOf, temporaryPermissions } from './permissions.ts'
import type { SignOn } from './read-sign-on.ts'
import type { UserSession, UserSessions } from './sessions.ts'
import { isLoopbackAddress } from './sign-in-link.ts'
import type { SignOnTokens } from './sign-on-tokens.ts'

export interface LogInServices {
  readonly options: DashboardOptions
  readonly signOnTokens: SignOnTokens
  readonly sessions: UserSessions
  readonly ids: Ids
  readonly log: Log
  /** Address of the client. */
  readonly address: string
}

type Rejection = 'invalid' | 'not-allowed'

const defaultLifetime = 3600

/** The method has been checked. */
export async function logIn(request: Request, section: Section, services: LogInServices): Promise<Response> {
  const { options, signOnTokens, sessions, log } = services
  const signOn = await signOnTokens.consume(new URL(request.url).searchParams.get('nonce') ?? '')
  const user = signOn === undefined || signOn.section !== section ? 'invalid' : admit(signOn, services)
  if (typeof user === 'string') return reject(user, options)
  const configured = section === 'dashboard' ? options.dashboardSessionLifetime : options.portalSessionLifetime
  const lifetime = configured > 0 ? configured : defaultLifetime
  try {
    const id = await sessions.open(user, lifetime)
    return new Response(null, {
      status: 302,
      headers: {
        ...redirectHeaders,
        location: section === 'dashboard' ? options.homePath : options.portalHomePath,
        'set-cookie': setCookie(section, id, lifetime, request, options.secureCookie),
      },
    })
  } catch (cause) {
    log.error('a dashboard session could not be stored', { reason: String(cause) })
    return reject('invalid', options)
  }
}

const redirectHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/**
 * Chooses the user who logs in. Checks the organisation again, because it may have changed since the token was created,
 * and the address and the account as they are now.
 */
function admit(signOn: SignOn, { options, ids, address }: LogInServices): UserSession | Rejection {
  const { orgId, emailAddress, groupIds } = signOn
  if (signOn.onlyLoopback && !isLoopbackAddress(address)) return 'invalid'
  if (findOrganisation(options, orgId) === undefined) return 'invalid'
  if (signOn.notAllowed) return 'not-allowed'
  const looksUp = (options.ssoEnableUserLookup && !signOn.onlyLoopback) || signOn.onlyRegistered
  const user = looksUp ? findUser(options, orgId, emailAddress) : undefined
  if (user === undefined && signOn.onlyRegistered) return 'not-allowed'
  if (user?.active === false) return 'not-allowed'
  const common = { DisplayName: signOn.displayName, OrgID: orgId, Section: signOn.section }
  if (user !== undefined) {
    return {
      ...common,
      UserID: user.id,
      EmailAddress: user.emailAddress,
      GroupsIDs: user.groupId === '' ? [] : [user.groupId],
      Permissions: permissionsOf(user, options),
      Temporary: false,
    }
  }
  return {
    ...common,
    UserID: `sso-${ids.uuid()}`,
    EmailAddress: emailAddress,
    GroupsIDs: groupIds,
    Permissions: temporaryPermissions(orgId, groupIds, options),
    Temporary: true,
  }
}

function reject(rejection: Rejection, { ssoCustomLoginErrorUrl: url }: DashboardOptions): Response {
  if (url !== '') {
    const headers = { ...redirectHeaders, location: withQuery(url, `error=${rejection}`) }
    return new Response(null, { status: 302, headers })
  }
  return rejection === 'invalid' ? notAuthorised() : failure(403, 'User not allowed')
}

/** Works on the text, so that the configured address stays as it is, also if it is relative. */
function withQuery(url: string, parameter: string): string {
  const [address = '', fragment] = url.split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}${parameter}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}
