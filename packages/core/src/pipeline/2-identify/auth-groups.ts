/**
 * Alternatives of authentication methods: the first group whose methods all pass identifies the caller
 * (docs/reference/openapi-authentication.md#group-evaluation). The stages of the methods run inside this stage.
 */
import type { AuthGroup, AuthMode, GroupScheme } from '../../definition/api-definition.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { makeAuthToken } from './auth-token.ts'
import { makeBasicAuth } from './basic-auth.ts'
import { makeExternalOAuth } from './external-oauth.ts'
import { makeHmac } from './hmac.ts'
import { makeJwt } from './jwt.ts'
import { makeOAuthToken } from './oauth-token.ts'
import { makeOpenId } from './openid.ts'
import { makeScriptAuth } from './script-auth.ts'

/** The stage of each mode. */
const makers: Readonly<Record<AuthMode, MakeStage>> = {
  oauth: makeOAuthToken,
  'external-oauth': makeExternalOAuth,
  basic: makeBasicAuth,
  hmac: makeHmac,
  jwt: makeJwt,
  openid: makeOpenId,
  custom: makeScriptAuth,
  token: makeAuthToken,
}

interface CompiledScheme {
  readonly name: string
  run(context: RequestContext): Maybe<Outcome>
}

export const makeAuthGroups: MakeStage = (compileContext) => {
  const { authGroups } = compileContext.api
  if (authGroups === undefined) return null
  const stages = new Map<AuthMode, CompiledScheme['run']>()
  const scripted = authGroups.flat().some(({ mode }) => mode === 'custom')
  const groups = authGroups.map((group: AuthGroup) =>
    group.map((scheme) => ({ name: scheme.name, run: runnerOf(scheme, compileContext, stages) })),
  )

  const tryFrom = (index: number, context: RequestContext): Maybe<Outcome> => {
    const group = groups[index] as readonly CompiledScheme[]
    // A group that failed may have found the session of its first method.
    context.key = undefined
    context.token = undefined
    context.isClientToken = false
    context.credential = undefined
    // Only scripts change the request to the upstream.
    const undo = scripted ? context.outgoing.checkpoint() : undefined
    return when(runGroup(group, 0, context), (outcome) => {
      note(context, group, outcome)
      if (outcome === undefined) return undefined
      undo?.()
      if (index + 1 < groups.length) return tryFrom(index + 1, context)
      context.key = undefined
      return 'kind' in outcome ? withoutChallenge(outcome) : outcome
    })
  }

  return {
    run: (context) => (context.ignored ? undefined : tryFrom(0, context)),
  }
}

/**
 * The stage of the scheme's method. Schemes of one method share it. It is compiled as if its mode were the only one, so
 * it provides the session.
 */
function runnerOf(
  { name, mode }: GroupScheme,
  { api, version, services }: CompileContext,
  stages: Map<AuthMode, CompiledScheme['run']>,
): CompiledScheme['run'] {
  const unconfigured = reword(rejections.schemeNotConfigured, { message: `security scheme ${name} is not configured` })
  if (mode === undefined) return () => unconfigured
  const known = stages.get(mode)
  if (known !== undefined) return known
  const { authGroups: _, ...rest } = api
  const stage = makers[mode]({ api: { ...rest, authModes: [mode] }, version, services })
  const run: CompiledScheme['run'] = stage === null ? () => unconfigured : (context) => stage.run(context)
  stages.set(mode, run)
  return run
}

/** Runs the methods of a group from `index` on; the first rejection ends the group. */
function runGroup(group: readonly CompiledScheme[], index: number, context: RequestContext): Maybe<Outcome> {
  const scheme = group[index]
  if (scheme === undefined) return undefined
  return when(scheme.run(context), (outcome) => outcome ?? runGroup(group, index + 1, context))
}

/** A client that may choose among several methods gets no challenge of one of them. */
function withoutChallenge({ headers, ...rejection }: Rejection): Rejection {
  if (headers === undefined) return rejection
  const kept: string[] = []
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'www-authenticate') kept.push(headers[i] as string, headers[i + 1] as string)
  }
  return { ...rejection, headers: kept }
}

function note({ trace }: RequestContext, group: readonly CompiledScheme[], outcome: Outcome): void {
  if (trace === undefined) return
  const names = group.length === 0 ? 'no authentication' : group.map(({ name }) => name).join(' and ')
  const verdict = outcome === undefined ? 'passes' : 'kind' in outcome ? outcome.message : `${outcome.status}`
  trace.note(`group ${names}: ${verdict}`)
}
