/**
 * Runs the scripts of one stage in their order; each sees what the one before left
 * (docs/reference/scripts.md#stage-scripts).
 */
import type { ScriptEntry, ScriptStage } from '../../definition/api-definition.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { Scripts } from '../contract/scripts.ts'
import type { CompileContext, Outcome, Stage, Unnamed } from '../contract/stage.ts'
import { addQuotaHeaders, removeRateHeaders } from '../shared/limit-headers.ts'
import { withRequestBody } from '../shared/request-body.ts'
import { applyChanges } from './apply-changes.ts'
import { configArgument, noSession, sessionArgument, stageRequest, storeData } from './script-arguments.ts'
import { rejectionOf, responds, responseOf, sendOrLoop } from './script-outcome.ts'
import { type Overrides, type RequestChanges, readStageResult } from './script-results.ts'

interface StagePlace {
  readonly name: string
  /** Responses pass through the response stages; otherwise they are sent as they are. */
  readonly isShaped: boolean
  /** Scripts with `require_session` get the session of the key. */
  readonly hasSession: boolean
  /** Later stages see changed headers and bodies as the client's. */
  readonly asClient: boolean
}

/** The stage; `null` if the API has no scripts there. If they cannot run, the stage rejects every request. */
export function makeStageScripts(
  compileContext: CompileContext,
  stage: Exclude<ScriptStage, 'response'>,
  place: StagePlace,
): Unnamed<Stage> | null {
  const scripts = compileContext.api.scripts
  const entries = scripts?.[stage] ?? []
  if (scripts === undefined || entries.length === 0) return null
  const runtime = compileContext.services.scripts
  if (runtime === undefined || scripts.problem !== undefined)
    return rejecting(place.name, compileContext, scripts.problem)
  const runEntry = makeRunEntry(compileContext, runtime, place)

  /** Runs the entries from this one on, until one responds. */
  const runFrom = (index: number, context: RequestContext): Maybe<Outcome> => {
    const entry = entries[index]
    if (entry === undefined) return undefined
    return withRequestBody(context, compileContext.services, (body) =>
      runEntry(entry, context, utf8Text(body)).then((outcome) => outcome ?? runFrom(index + 1, context)),
    )
  }
  return { run: (context) => runFrom(0, context) }
}

/** A stage that rejects every request, because its scripts cannot run; the reason is logged once, at load. */
export function rejecting(
  name: string,
  { api, services }: CompileContext,
  problem: string = 'this gateway runs no scripts',
): Unnamed<Stage> {
  services.log.error('an API rejects requests: its scripts cannot run', { api: api.id, stage: name, reason: problem })
  return {
    run({ trace }) {
      trace?.note(`its scripts cannot run: ${problem}`)
      return rejections.scriptsUnavailable
    },
  }
}

function makeRunEntry(compileContext: CompileContext, scripts: Scripts, place: StagePlace) {
  const { keys } = scripts
  const runScript = scripts.scopeOf(compileContext.api, compileContext.services.onRelease)
  const config = configArgument(compileContext)
  return async (entry: ScriptEntry, context: RequestContext, body: string): Promise<Outcome> => {
    const hasSession = place.hasSession && entry.requireSession
    const session = hasSession ? await sessionArgument(context, keys) : noSession
    const args = [stageRequest(context, body), session, config]
    const { value, problem } = await runScript(context, 'request', entry.name, args)
    if (problem !== undefined) return rejections.scriptFailed
    const result = readStageResult(value)
    if (result.problem !== undefined) return failScript(compileContext, context, entry.name, result.problem)
    const { request, sessionMeta } = result.value
    if (hasSession) await storeData(context, keys, session, sessionMeta)
    return finishScript(compileContext, context, entry.name, request, { ...place, givenBody: body, hasSession })
  }
}

interface ScriptFinish extends Pick<StagePlace, 'isShaped' | 'asClient' | 'hasSession'> {
  readonly givenBody: string
}

/** What follows from the request that a script returned: its response, or the changed request. */
export function finishScript(
  compileContext: CompileContext,
  context: RequestContext,
  name: string,
  changes: RequestChanges,
  finish: ScriptFinish,
): Maybe<Outcome> {
  const { returnOverrides } = changes
  if (responds(returnOverrides)) return respond(compileContext, context, name, returnOverrides, finish)
  const problem = applyChanges(context, changes, finish)
  return problem === undefined ? undefined : failScript(compileContext, context, name, problem)
}

function respond(
  compileContext: CompileContext,
  context: RequestContext,
  name: string,
  overrides: Overrides,
  { isShaped, hasSession }: ScriptFinish,
): Maybe<Outcome> {
  const rejection = rejectionOf(overrides)
  const response = responseOf(overrides)
  if (response === undefined) return failScript(compileContext, context, name, 'its status or a header is not valid')
  if (rejection !== undefined) return rejection
  context.scripted = hasSession && context.key !== undefined ? 'with-session' : 'without-session'
  // The response stages add these headers to shaped responses.
  if (!isShaped) {
    removeRateHeaders(response)
    addQuotaHeaders(context, response, compileContext.services.settings.headers)
  }
  return sendOrLoop(response, context, compileContext)
}

export function failScript(
  { api, services }: CompileContext,
  { trace }: RequestContext,
  name: string,
  problem: string,
): Rejection {
  services.log.error('a script failed', { api: api.id, script: name, reason: problem })
  trace?.note(`${name} failed: ${problem}`)
  return rejections.scriptFailed
}
