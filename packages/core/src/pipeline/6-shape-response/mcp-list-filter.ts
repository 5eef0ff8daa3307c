/**
 * Removes tools, resources and prompts that the proxy closes or the key may not use from the lists of an upstream. JSON
 * is filtered whole, event streams event by event. Event streams of GET are filtered too, because a resumed stream may
 * contain responses to earlier requests (docs/reference/mcp-proxies.md#list-filters, docs/differences.md#mcp-proxies).
 */

import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { BodyTooLarge, type ByteStream, collect, streamOf } from '../../http/byte-stream.ts'
import { headerOf, removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { FilteredEventStream } from '../mcp/event-stream.ts'
import { maxMessageBytes } from '../mcp/message-limits.ts'
import { makePrimitiveAccess, type PrimitiveAccess } from '../mcp/primitive-access.ts'
import { hideItems, type IsVisible } from '../mcp/visible-items.ts'
import { nameMatching } from '../shared/match-path-rules.ts'
import { mayListHiddenItems } from '../shared/may-list-hidden-items.ts'
import { maxBufferedResponseBytes, responseLimitFix } from '../shared/request-body.ts'
import { codingOf, unpack } from './content-coding.ts'

export const makeMcpListFilter: MakeResponseStage = (compileContext) => {
  const { api, version } = compileContext
  if (!speaksMcp(api.document)) return null
  const access = makePrimitiveAccess(version.paths, nameMatching(compileContext, { foldsByVersion: true }))
  return {
    name: 'mcp-list-filter',
    phase: '6-shape-response',
    run(context, response) {
      if (!mayListHiddenItems(context, access)) return response
      const isVisible = visibleTo(context, access)
      const type = headerOf(response.headers, 'content-type')?.trimStart().toLowerCase() ?? ''
      if (type.startsWith('text/event-stream')) return filterEvents(response, context, isVisible, compileContext)
      // Without a message in the request, only event streams contain messages. Lists are filtered for every content type.
      if (context.mcp === undefined) return response
      return filterWhole(response, context, isVisible, compileContext)
    },
  }
}

function visibleTo({ access }: RequestContext, open: PrimitiveAccess): IsVisible {
  const rights = access?.mcp
  return (primitive) => open.of(primitive) === 'open' && (rights?.allows(primitive) ?? true)
}

function filterEvents(
  response: GatewayResponse,
  context: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): GatewayResponse | Rejection {
  const { body } = response
  if (body === undefined) return response
  if (codedAs(response) !== undefined) return giveUp(compileContext, 'the event stream is compressed')
  const change = (data: string) => hideItems(data, context.mcp?.method, isVisible)
  const { services, api } = compileContext
  response.body = new FilteredEventStream(streamOfBody(body), change, maxEventBytes(compileContext), (cause) => {
    services.log.warn('an event of an MCP server cannot be filtered, so its stream ends', {
      api: api.id,
      reason: String(cause),
      ...(cause instanceof BodyTooLarge ? { fix: 'raise max_read_response_size' } : {}),
    })
  })
  response.bodyLength = undefined
  removeHeader(response.headers, 'content-length')
  return response
}

function filterWhole(
  response: GatewayResponse,
  context: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): Maybe<GatewayResponse | Rejection> {
  const { body } = response
  if (body === undefined) return response
  if (typeof body === 'string') return filterBytes(response, utf8Bytes(body), context, isVisible, compileContext)
  if (body instanceof Uint8Array) return filterBytes(response, body, context, isVisible, compileContext)
  return collect(body, maxListBytes(compileContext)).then(
    (bytes) => filterBytes(response, bytes, context, isVisible, compileContext),
    (cause: unknown) => giveUp(compileContext, cause),
  )
}

function filterBytes(
  response: GatewayResponse,
  bytes: Uint8Array,
  context: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): Maybe<GatewayResponse | Rejection> {
  if (bytes.length > maxListBytes(compileContext))
    return giveUp(compileContext, new BodyTooLarge(maxListBytes(compileContext)))
  const coding = codedAs(response)
  if (coding === undefined) return withText(response, bytes, bytes, context, isVisible, compileContext)
  const known = codingOf(coding, compileContext.services)
  if (known === undefined) return giveUp(compileContext, `the list has the unsupported coding ${coding}`)
  return unpack(bytes, known, maxListBytes(compileContext), compileContext.services).then(
    (plain) => withText(response, bytes, plain, context, isVisible, compileContext),
    (cause: unknown) => giveUp(compileContext, cause),
  )
}

/** `sent`: the original bytes, which are sent if nothing is hidden in `plain`. */
function withText(
  response: GatewayResponse,
  sent: Uint8Array,
  plain: Uint8Array,
  { mcp }: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): GatewayResponse | Rejection {
  let shown: string | undefined
  try {
    shown = hideItems(utf8Text(plain), mcp?.method, isVisible)
  } catch (cause) {
    return giveUp(compileContext, cause)
  }
  response.body = shown === undefined ? sent : utf8Bytes(shown)
  response.bodyLength = undefined
  removeHeader(response.headers, 'content-length')
  if (shown !== undefined) removeHeader(response.headers, 'content-encoding')
  return response
}

/** A list is a message, so its limit is that of messages of clients. */
function maxListBytes({ services: { settings } }: CompileContext): number {
  const maxReadResponseBytes = Math.max(settings.maxReadResponseBytes ?? 0, maxMessageBytes)
  return maxBufferedResponseBytes({ settings: { ...settings, maxReadResponseBytes } })
}

/** Results of all methods pass as events, so an event may be longer than a list. */
function maxEventBytes({ services: { settings } }: CompileContext): number {
  return Math.max(settings.maxReadResponseBytes ?? 0, 2 * maxMessageBytes)
}

function streamOfBody(body: string | Uint8Array | ByteStream): ByteStream {
  if (typeof body === 'string') return streamOf(utf8Bytes(body))
  return body instanceof Uint8Array ? streamOf(body) : body
}

function codedAs({ headers }: GatewayResponse): string | undefined {
  const coding = headerOf(headers, 'content-encoding')
  return coding === undefined || coding.trim().toLowerCase() === 'identity' ? undefined : coding
}

/** Rejects the request: the list could contain items that the key may not see. */
function giveUp({ services, api }: CompileContext, cause: unknown): Rejection {
  services.log.warn('a list of an MCP server cannot be filtered, so it is not forwarded', {
    api: api.id,
    reason: String(cause),
    ...(cause instanceof BodyTooLarge ? { fix: responseLimitFix } : {}),
  })
  return rejections.upstreamBroken
}
