/** Scripts that change responses (docs/reference/scripts.md#response-scripts). Their body is read whole. */
import type { ScriptEntry } from '../../definition/api-definition.ts'
import { isFinalStatus } from '../../http/final-status.ts'
import { headerOf, removeHeader, setHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { Scripts } from '../contract/scripts.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { configArgument, headerLists, noSession, sessionArgument, stageRequest } from '../scripts/script-arguments.ts'
import { headerPairs, type ResponseResult, readResponseResult } from '../scripts/script-results.ts'
import { failScript } from '../scripts/stage-scripts.ts'
import { bytesOfBody, maxBufferedResponseBytes, rejectUnreadable } from '../shared/response-bytes.ts'

export const makeScriptResponse: MakeResponseStage = (compileContext) => {
  const { api, services } = compileContext
  const entries = api.scripts?.response ?? []
  // `script-post` rejects the requests of an API whose response scripts cannot run.
  if (entries.length === 0 || services.scripts === undefined || api.scripts?.problem !== undefined) return null
  const run = makeRun(compileContext, services.scripts)

  const runAll = async (context: RequestContext, response: GatewayResponse): Promise<GatewayResponse> => {
    for (const entry of entries) {
      const rejection = await run(entry, context, response)
      if (rejection === undefined) continue
      context.rejection = rejection
      context.rejectedBy = 'script-response'
      context.rejectedIn = '6-shape-response'
      return services.errors.render(rejection, context.request)
    }
    return response
  }
  return {
    run: (context, response) => (response.tunnel === undefined ? runAll(context, response) : response),
  }
}

type Run = (entry: ScriptEntry, context: RequestContext, response: GatewayResponse) => Promise<Rejection | undefined>

/** Runs one script and changes the response in place. */
function makeRun(compileContext: CompileContext, scripts: Scripts): Run {
  const runScript = scripts.scopeOf(compileContext.api, compileContext.services.onRelease)
  const config = configArgument(compileContext)
  const limit = maxBufferedResponseBytes(compileContext.services)
  return async (entry, context, response) => {
    const isPacked = headerOf(response.headers, 'content-encoding') !== undefined
    let body = ''
    try {
      if (!isPacked) body = utf8Text(await bodyOf(response, limit))
    } catch (cause) {
      const message = 'a response script cannot run: the body cannot be read'
      return rejectUnreadable(compileContext, message, cause, { script: entry.name })
    }
    const shown = JSON.stringify({
      Code: response.status,
      Headers: headerLists(response.headers),
      Body: body,
      SetHeaders: {},
      DeleteHeaders: [],
    })
    const session = entry.requireSession ? await sessionArgument(context, scripts.keys) : noSession
    const args = [shown, stageRequest(context, ''), session, config]
    const { value, problem } = await runScript(context, 'response', entry.name, args)
    if (problem !== undefined) return rejections.scriptFailed
    const result = readResponseResult(value)
    const wrong = result.problem ?? change(response, result.value.response, isPacked ? undefined : body)
    return wrong === undefined ? undefined : failScript(compileContext, context, entry.name, wrong)
  }
}

/** The whole body, which stays in the response. Rejects if it is too long or incomplete. */
async function bodyOf(response: GatewayResponse, limit: number): Promise<Uint8Array> {
  const { body } = response
  if (typeof body === 'string') return utf8Bytes(body)
  const bytes = await bytesOfBody(body, limit)
  if (body !== undefined && body !== bytes) {
    response.body = bytes
    response.bodyLength = undefined
  }
  return bytes
}

/** `given`: the body that the script received; `undefined`: it received none, so its body does not count. */
function change(
  response: GatewayResponse,
  { code, body, setHeaders, deleteHeaders }: ResponseResult['response'],
  given: string | undefined,
): string | undefined {
  const set = headerPairs(setHeaders)
  if (set === undefined || !isFinalStatus(code)) return 'its status or a header is not valid'
  response.status = code
  for (const name of deleteHeaders ?? []) removeHeader(response.headers, name.toLowerCase())
  for (let i = 0; i < set.length; i += 2) setHeader(response.headers, set[i] as string, set[i + 1] as string)
  if (given === undefined || body === given) return undefined
  response.body = body
  response.bodyLength = undefined
  for (const name of ['content-length', 'content-md5', 'etag']) removeHeader(response.headers, name)
  return undefined
}
