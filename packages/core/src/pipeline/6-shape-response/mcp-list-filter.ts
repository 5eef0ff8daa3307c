/**
 * Takes tools, resources and prompts that the caller may not use out of the lists that an upstream answers with:
 * those that the proxy closes, and those that the key may not use. JSON is filtered whole, event streams event by
 * event as they pass. Source: spec/oas-and-mcp.md 2.4; decisions.md on blocked tools.
 *
 * Event streams of GETs are looked at too: a stream that a client takes up again brings answers to earlier requests.
 */

import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { type ByteStream, collect, streamOf } from '../../http/byte-stream.ts'
import { rejections } from '../../http/errors.ts'
import { headerOf, removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { FilteredEventStream } from '../mcp/event-stream.ts'
import { makePrimitiveAccess, type PrimitiveAccess } from '../mcp/primitive-access.ts'
import { hideItems, type IsVisible } from '../mcp/visible-items.ts'
import { nameMatching } from '../shared/match-path-rules.ts'
import { mayListHiddenItems } from '../shared/may-list-hidden-items.ts'
import { maxBufferedResponseBytes } from '../shared/request-body.ts'
import { codingOf, unpack } from './content-coding.ts'

/** Longest event that is held to be looked at. */
const maxEventBytes = 8 * 1024 * 1024

export const makeMcpListFilter: MakeResponseStage = (compileContext) => {
  const { api, version } = compileContext
  if (!speaksMcp(api.document)) return null
  const access = makePrimitiveAccess(version.paths, nameMatching(compileContext, { foldsByVersion: true }))
  return {
    name: 'mcp-list-filter',
    phase: '6-shape-response',
    run(context, answer) {
      if (!mayListHiddenItems(context, access)) return answer
      const isVisible = visibleTo(context, access)
      const type = headerOf(answer.headers, 'content-type')?.trimStart().toLowerCase() ?? ''
      if (type.startsWith('text/event-stream')) return filterEvents(answer, context, isVisible, compileContext)
      // Of a request that is no message only streams bring messages. A list is looked at whatever it says it is.
      if (context.mcp === undefined) return answer
      return filterWhole(answer, context, isVisible, compileContext)
    },
  }
}

function visibleTo({ access }: RequestContext, open: PrimitiveAccess): IsVisible {
  const rights = access?.mcp
  return (primitive) => open.of(primitive) === 'open' && (rights?.allows(primitive) ?? true)
}

function filterEvents(
  answer: GatewayResponse,
  context: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): GatewayResponse {
  const { body } = answer
  if (body === undefined) return answer
  if (codedAs(answer) !== undefined) return giveUp(context, compileContext, 'the event stream is packed')
  const change = (data: string) => hideItems(data, context.mcp?.method, isVisible)
  answer.body = new FilteredEventStream(streamOfBody(body), change, maxEventBytes)
  answer.bodyLength = undefined
  removeHeader(answer.headers, 'content-length')
  return answer
}

function filterWhole(
  answer: GatewayResponse,
  context: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): Maybe<GatewayResponse> {
  const { body } = answer
  if (body === undefined) return answer
  if (typeof body === 'string') return filterBytes(answer, utf8Bytes(body), context, isVisible, compileContext)
  if (body instanceof Uint8Array) return filterBytes(answer, body, context, isVisible, compileContext)
  return collect(body, maxBufferedResponseBytes(compileContext.services)).then(
    (bytes) => filterBytes(answer, bytes, context, isVisible, compileContext),
    (cause: unknown) => giveUp(context, compileContext, String(cause)),
  )
}

function filterBytes(
  answer: GatewayResponse,
  bytes: Uint8Array,
  context: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): Maybe<GatewayResponse> {
  const coding = codedAs(answer)
  if (coding === undefined) return withText(answer, bytes, bytes, context, isVisible)
  const known = codingOf(coding, compileContext.services)
  if (known === undefined) return giveUp(context, compileContext, `the list is packed as ${coding}`)
  return unpack(bytes, known, maxBufferedResponseBytes(compileContext.services), compileContext.services).then(
    (plain) => withText(answer, bytes, plain, context, isVisible),
    (cause: unknown) => giveUp(context, compileContext, String(cause)),
  )
}

/** `sent`: the bytes as they came, which go on where nothing is hidden in `plain`. */
function withText(
  answer: GatewayResponse,
  sent: Uint8Array,
  plain: Uint8Array,
  { mcp }: RequestContext,
  isVisible: IsVisible,
): GatewayResponse {
  const shown = hideItems(utf8Text(plain), mcp?.method, isVisible)
  answer.body = shown === undefined ? sent : utf8Bytes(shown)
  answer.bodyLength = undefined
  removeHeader(answer.headers, 'content-length')
  if (shown !== undefined) removeHeader(answer.headers, 'content-encoding')
  return answer
}

function streamOfBody(body: string | Uint8Array | ByteStream): ByteStream {
  if (typeof body === 'string') return streamOf(utf8Bytes(body))
  return body instanceof Uint8Array ? streamOf(body) : body
}

function codedAs({ headers }: GatewayResponse): string | undefined {
  const coding = headerOf(headers, 'content-encoding')
  return coding === undefined || coding.trim().toLowerCase() === 'identity' ? undefined : coding
}

/** What cannot be looked at is not shown. */
function giveUp(context: RequestContext, { services, api }: CompileContext, reason: string): GatewayResponse {
  services.log.warn('a list of an MCP server cannot be filtered, so it is not passed on', { api: api.id, reason })
  context.rejection = rejections.upstreamBroken
  context.rejectedBy = 'mcp-list-filter'
  context.rejectedIn = '6-shape-response'
  const { mcp, request } = context
  const { errors } = services
  return mcp === undefined
    ? errors.render(rejections.upstreamBroken, request)
    : errors.renderRpc(rejections.upstreamBroken, mcp.idJson)
}
