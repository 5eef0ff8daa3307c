/**
 * Authentication by a script: the script rejects the request, or returns the session and the key of the request
 * (docs/reference/scripts.md#authentication-scripts).
 */
import { missingAuthCheck } from '../../definition/scripts/api-scripts.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { configArgument, noSession, stageRequest } from '../scripts/script-arguments.ts'
import { responds } from '../scripts/script-outcome.ts'
import { type AuthResult, readAuthResult } from '../scripts/script-results.ts'
import { failScript, finishScript, rejecting } from '../scripts/stage-scripts.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { hasOwnStage, providesSession } from './accept-key.ts'

export const makeScriptAuth: MakeStage = (compileContext) => {
  const { api, services } = compileContext
  if (!hasOwnStage(api, 'custom')) return null
  const { scripts } = services
  const entry = api.scripts?.authCheck
  if (scripts === undefined || api.scripts?.problem !== undefined || entry === undefined) {
    return ignoring(rejecting('script-auth', compileContext, api.scripts?.problem ?? missingAuthCheck))
  }
  const runScript = scripts.scopeOf(compileContext.api, compileContext.services.onRelease)
  const config = configArgument(compileContext)
  const provides = providesSession(api, 'custom')

  const accept = async (
    context: RequestContext,
    { session, authValue }: AuthResult,
  ): Promise<Rejection | undefined> => {
    const key: CachedKey | undefined = await scripts.keys.authenticate(authValue, session, api)
    if (key === undefined || key.policyProblem !== undefined) {
      return failScript(compileContext, context, entry.name, 'the policies of its session cannot be applied')
    }
    context.trace?.note(`session of key ${key.logName}`)
    if (provides) {
      context.key = key
      context.credential = authValue
    }
    return undefined
  }

  const run = async (context: RequestContext, body: string): Promise<Outcome> => {
    const args = [stageRequest(context, body), noSession, config]
    const { value, problem } = await runScript(context, 'request', entry.name, args)
    if (problem !== undefined) return rejections.scriptFailed
    const result = readAuthResult(value)
    if (result.problem !== undefined) return failScript(compileContext, context, entry.name, result.problem)
    const { request } = result.value
    const finish = { isShaped: false, asClient: true, hasSession: false, givenBody: body }
    const outcome = await finishScript(compileContext, context, entry.name, request, finish)
    if (outcome !== undefined || responds(request.returnOverrides)) return outcome
    return accept(context, result.value)
  }

  return {
    run: (context) =>
      context.ignored ? undefined : withRequestBody(context, services, (body) => run(context, utf8Text(body))),
  }
}

/** Ignored paths need no key. */
function ignoring(stage: ReturnType<typeof rejecting>): ReturnType<typeof rejecting> {
  return { ...stage, run: (context) => (context.ignored ? undefined : stage.run(context)) }
}
