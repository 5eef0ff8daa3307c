/**
 * Rejections of keys and bearer tokens with the status and the challenge of RFC 6750 section 3, if `auth_errors`,
 * `oauth_rfc6749_errors` or `jwt_rfc6750_errors` is set. Otherwise they are as recorded (docs/reference/authentication.md#bearer-token-errors).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { when } from '../../lib/maybe.ts'
import type { Outcome, Stage, Unnamed } from '../contract/stage.ts'

interface BearerError {
  readonly status: number
  /** Absent if the request has no token: RFC 6750 section 3.1 then allows no code. */
  readonly error?: 'invalid_token' | 'insufficient_scope'
}

const missing: BearerError = { status: 401 }
const invalid: BearerError = { status: 401, error: 'invalid_token' }
const insufficient: BearerError = { status: 403, error: 'insufficient_scope' }

const { authMissing, oauthMissing, oauthMalformed, oauthUnknown, oauthClientGone, keyUnknown, keyExpired } = rejections
const { jwtMissing, jwtRefused, jwtMethod, jwtExpired, jwtUsedBeforeIssued, jwtNotValidYet } = rejections
const { jwtClaim, jwtIdentityMissing, jwtIdentityEmpty, jwtScopeUnmapped, jwtNoScopeOrPolicy } = rejections
const errors = new Map<string, BearerError>([
  ...codes([authMissing, oauthMissing, oauthMalformed, jwtMissing], missing),
  ...codes([oauthUnknown, oauthClientGone, keyUnknown, keyExpired], invalid),
  ...codes([jwtRefused, jwtMethod, jwtExpired, jwtUsedBeforeIssued, jwtNotValidYet], invalid),
  ...codes([jwtClaim, jwtIdentityMissing, jwtIdentityEmpty], invalid),
  ...codes([jwtScopeUnmapped, jwtNoScopeOrPolicy], insufficient),
])

function codes(list: readonly Rejection[], error: BearerError): (readonly [string, BearerError])[] {
  return list.map(({ code }) => [code, error] as const)
}

/** Returns the stage itself if `isOn` is false, so that the recorded behaviour costs nothing. */
export function withBearerErrors(stage: Unnamed<Stage>, api: ApiDefinition, isOn: boolean | undefined): Unnamed<Stage> {
  if (isOn !== true) return stage
  const challenged = (outcome: Outcome): Outcome =>
    outcome !== undefined && 'kind' in outcome ? withChallenge(outcome, api.name) : outcome
  return { ...stage, run: (context) => when(stage.run(context), challenged) }
}

function withChallenge(rejection: Rejection, realm: string): Rejection {
  const found = errors.get(rejection.code)
  if (found === undefined) return rejection
  const code =
    found.error === undefined ? '' : `, error="${found.error}", error_description="${quotable(rejection.message)}"`
  const challenge = `Bearer realm="${quotable(realm)}"${code}`
  return reword(rejection, {
    status: found.status,
    headers: [...(rejection.headers ?? []), 'www-authenticate', challenge],
  })
}

/** Replaces characters that these parameters may not have (RFC 6750 section 3). */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")
}
