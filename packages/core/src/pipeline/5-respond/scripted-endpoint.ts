/** Scripted endpoints respond instead of the upstream (docs/reference/scripts.md#scripted-endpoints). */
import { scriptsAreOff } from '../../definition/scripts/api-scripts.ts'
import { setHeader } from '../../http/headers.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { configArgument, endpointRequest, noSession, sessionArgument, storeData } from '../scripts/script-arguments.ts'
import { sendOrLoop, toResponse } from '../scripts/script-outcome.ts'
import { readEndpointResult } from '../scripts/script-results.ts'
import { failScript } from '../scripts/stage-scripts.ts'
import { compilePathRules, type FindRule } from '../shared/match-path-rules.ts'
import { withRequestBody } from '../shared/request-body.ts'

type EndpointRule = CompileContext['version']['paths']['virtual'][number]

export const makeScriptedEndpoint: MakeStage = (compileContext) => {
  const { version, services } = compileContext
  const { scripts, settings } = services
  const find = compilePathRules(version.paths.virtual, compileContext, (rule) => rule)
  if (find === null) return null
  if (settings.scripts?.enabled !== true || scripts === undefined) return withoutScripts(find, compileContext)
  const runScript = scripts.scopeOf(compileContext.api, compileContext.services.onRelease)
  const config = configArgument(compileContext)
  const server = vendorForms(settings.vendor).lower

  const run = async (rule: EndpointRule, context: RequestContext, body: Uint8Array): Promise<Outcome> => {
    const name = rule.responseFunctionName
    const session = rule.useSession ? await sessionArgument(context, scripts.keys) : noSession
    const args = [endpointRequest(context, body), session, config]
    const { value, problem } = await runScript(context, 'function', name, args)
    if (problem !== undefined) return fail(rule, context)
    const result = readEndpointResult(value)
    const response = result.problem === undefined ? toResponse(result.value.response) : undefined
    if (result.problem !== undefined || response === undefined) {
      const reason = result.problem ?? 'its status or a header is not valid'
      failScript(compileContext, context, name, reason)
      return fail(rule, context)
    }
    if (rule.useSession) await storeData(context, scripts.keys, session, result.value.sessionMeta)
    context.scripted = rule.useSession && context.key !== undefined ? 'with-session' : 'without-session'
    setHeader(response.headers, 'server', server)
    return sendOrLoop(response, context, compileContext)
  }

  return {
    run(context) {
      const rule = find(context)
      if (rule === undefined) return undefined
      return withRequestBody(context, services, (body) => run(rule, context, body))
    },
  }
}

/** Without scripts every endpoint fails: the upstream must not respond in place of the script, which may check the request. */
function withoutScripts(find: FindRule<EndpointRule>, { api, services }: CompileContext): ReturnType<MakeStage> {
  services.log.error('scripted endpoints reject requests: their scripts cannot run', {
    api: api.id,
    reason: scriptsAreOff,
  })
  return {
    run(context) {
      const rule = find(context)
      return rule === undefined ? undefined : fail(rule, context)
    },
  }
}

/** Failures are not cached. */
function fail(rule: EndpointRule, context: RequestContext): Rejection | undefined {
  if (!rule.proxyOnError) return rejections.endpointFailed
  context.trace?.note('the script failed, so the request goes to the upstream (proxy_on_error)')
  return undefined
}
