/**
 * On an MCP proxy, after the check of the organisation: applies the size limit and parses the JSON-RPC message of a POST.
 * Later stages use the message instead of the path: the request goes to the upstream without the client's query, with the
 * body unchanged. Requests without a body are ordinary requests; other bodies get 415
 * (docs/reference/mcp-proxies.md#request-routing).
 */

import { methodOfRule } from '../../definition/mcp/method-rules.ts'
import { primitiveOfPath, primitivePath, speaksMcp } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type FindPrimitiveRule } from '../../definition/mcp/primitive-rules.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { jsonLimitProblem } from '../../lib/text/read-json.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { carriesMessage, maxMessageBytes, maxMessageValues, readMessage, textOfMessage } from '../mcp/read-message.ts'
import { compileRulePath, nameMatching } from '../shared/match-path-rules.ts'
import { readRequestBody } from '../shared/request-body.ts'
import { rejectLength } from './size-limit.ts'

export const makeMcpMessage: MakeStage = (compileContext) => {
  const { api, version, services } = compileContext
  if (!speaksMcp(api.document)) return null
  const { sizeLimit, paths } = version
  const matching = nameMatching(compileContext, { foldsByVersion: true })
  const findNamed = compilePrimitiveRules(paths.internal, matching, () => true)
  const isMethodPath = methodPaths(compileContext)
  const findIgnored = compilePrimitiveRules(paths.ignored, matching, () => true)
  const rejectsOthers = services.settings.mcpOtherBodies !== 'pass'
  const { maxBodyBytes, maxReadBodyBytes = 0 } = services.settings
  const limited = {
    settings: {
      maxBodyBytes: maxBodyBytes || maxMessageBytes,
      maxReadBodyBytes: Math.max(maxReadBodyBytes, maxMessageBytes),
    },
  }

  return {
    run(context): Maybe<Outcome> {
      const { request } = context
      // Both are no paths for clients, so these errors are not JSON-RPC, even if the body is.
      if (isMethodPath(context)) return rejections.pathForbidden
      if (isInnerPath(context, findNamed)) return rejections.primitivePath
      if (!carriesMessage(request)) {
        // An upstream that reads JSON-RPC from other bodies would bypass the rules for tools.
        return rejectsOthers && request.body !== undefined ? rejections.mcpMediaType : undefined
      }
      const tooLong = sizeLimit > 0 ? rejectLength(request, sizeLimit) : undefined
      if (tooLong !== undefined) return tooLong
      return when(readRequestBody(context, limited), (body) =>
        body instanceof Uint8Array ? take(body, context, findIgnored) : body,
      )
    },
  }
}

function take(
  body: Uint8Array,
  context: RequestContext,
  findIgnored: FindPrimitiveRule<boolean> | null,
): Rejection | undefined {
  const { outgoing, request, trace } = context
  // An undecodable body, and one with too many values, gets the error for invalid JSON.
  const text = jsonLimitProblem(body, maxMessageValues) === undefined ? textOfMessage(request, body) : undefined
  const { message, rejection } = readMessage(text ?? '')
  context.mcp = message
  if (rejection !== undefined) return rejection
  outgoing.query = ''
  const { method, primitive } = message
  if (primitive !== undefined && findIgnored?.(primitive)) context.ignored = true
  trace?.note(primitive === undefined ? method || 'a response to the server' : primitivePath(primitive))
  return undefined
}

/** Returns true for a POST to the path of a method with rules. Clients send such calls to the listen path. */
function methodPaths(compileContext: CompileContext): (context: RequestContext) => boolean {
  const rules = compileContext.version.paths.internal.filter((rule) => methodOfRule(rule) !== undefined)
  const tests = rules.flatMap((rule) => compileRulePath(rule, compileContext, {}) ?? [])
  return ({ request, path }) =>
    tests.length > 0 && request.method === 'POST' && tests.some((test) => test(decodePercent(path)))
}

/** Returns true for the internal path of a primitive with rules. Clients may not request it. */
function isInnerPath({ path }: RequestContext, findNamed: FindPrimitiveRule<boolean> | null): boolean {
  const primitive = findNamed === null ? undefined : primitiveOfPath(decodePercent(path))
  return primitive !== undefined && findNamed?.(primitive) === true
}
