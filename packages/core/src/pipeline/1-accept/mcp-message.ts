/**
 * First of what an MCP proxy does: its size limit, then the JSON-RPC message of a POST. What follows goes by the
 * message, not by the path: the upstream is asked at its own path, without the client's query, with the client's body
 * as it came. All that is no JSON passes as an ordinary request. Source: spec/oas-and-mcp.md 2.2.
 */

import { primitiveOfPath, primitivePath, speaksMcp } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type FindPrimitiveRule } from '../../definition/mcp/primitive-rules.ts'
import { type Rejection, rejections } from '../../http/errors.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { carriesMessage, textOfMessage } from '../mcp/message-body.ts'
import { readMessage } from '../mcp/read-message.ts'
import { nameMatching } from '../shared/match-path-rules.ts'
import { readRequestBody } from '../shared/request-body.ts'
import { rejectLength } from './size-limit.ts'

/** Longest message that is read where the gateway sets no limit on bodies: it is parsed in one go. */
const maxMessageBytes = 16 * 1024 * 1024

export const makeMcpMessage: MakeStage = (compileContext) => {
  const { api, version, services } = compileContext
  if (!speaksMcp(api.document)) return null
  const { sizeLimit, paths } = version
  const matching = nameMatching(compileContext, { foldsByVersion: true })
  const findNamed = compilePrimitiveRules(paths.internal, matching, () => true)
  const findIgnored = compilePrimitiveRules(paths.ignored, matching, () => true)
  const limited = {
    settings: { ...services.settings, maxBodyBytes: services.settings.maxBodyBytes || maxMessageBytes },
  }

  return {
    name: 'mcp-message',
    phase: '1-accept',
    run(context): Maybe<Outcome> {
      const { request } = context
      if (!carriesMessage(request)) return isInnerPath(context, findNamed) ? rejections.primitivePath : undefined
      const tooLong = sizeLimit > 0 ? rejectLength(request, sizeLimit) : undefined
      if (tooLong !== undefined) return tooLong
      return when(readRequestBody(context, limited), (body) =>
        body instanceof Uint8Array ? take(body, context, findNamed, findIgnored) : body,
      )
    },
  }
}

function take(
  body: Uint8Array,
  context: RequestContext,
  findNamed: FindPrimitiveRule<boolean> | null,
  findIgnored: FindPrimitiveRule<boolean> | null,
): Rejection | undefined {
  const { outgoing, request, trace } = context
  // Without a text there is nothing to be read, which is told as a text that is no JSON.
  const { message, refusal } = readMessage(textOfMessage(request, body) ?? '')
  context.mcp = message
  if (refusal !== undefined) return refusal
  if (isInnerPath(context, findNamed)) return rejections.primitivePath
  // The root of the target, whatever the client's path.
  outgoing.path = '/'
  outgoing.query = ''
  const { method, primitive } = message
  if (primitive !== undefined && findIgnored?.(primitive)) context.ignored = true
  trace?.note(primitive === undefined ? method || 'an answer to the server' : primitivePath(primitive))
  return undefined
}

/** Whether the client's path is one that stands for a named primitive: those are ours alone. */
function isInnerPath({ path }: RequestContext, findNamed: FindPrimitiveRule<boolean> | null): boolean {
  const primitive = findNamed === null ? undefined : primitiveOfPath(decodePercent(path))
  return primitive !== undefined && findNamed?.(primitive) === true
}
