/**
 * Removes tools, resources and prompts that the proxy closes or the key may not use from the lists of an upstream. JSON
 * is filtered whole, event streams event by event. Event streams of GET are filtered too, because a resumed stream may
 * contain responses to earlier requests (docs/reference/mcp-proxies.md#list-filters, docs/differences.md#mcp-proxies).
 */

import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { BodyTooLarge, type ByteStream, streamOf } from '../../http/byte-stream.ts'
import { headerOf, removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { utf8Bytes, utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { FilteredEventStream } from '../mcp/filter-event-stream.ts'
import { makePrimitiveAccess, mayListHiddenItems, type PrimitiveAccess } from '../mcp/primitive-access.ts'
import { maxMessageBytes } from '../mcp/read-message.ts'
import { hideItems, type IsVisible } from '../mcp/visible-items.ts'
import { nameMatching } from '../shared/match-path-rules.ts'
import { codingOf, unpack } from '../shared/recode-body.ts'
import { bytesOfBody, maxBufferedResponseBytes, rejectUnreadable, withBody } from '../shared/response-bytes.ts'

export const makeMcpListFilter: MakeResponseStage = (compileContext) => {
  const { api, version } = compileContext
  if (!speaksMcp(api.document)) return null
  const access = makePrimitiveAccess(version.paths, nameMatching(compileContext, { foldsByVersion: true }))
  return {
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
  const filtered = new FilteredEventStream(streamOfBody(body), change, maxEventBytes(compileContext), (cause) => {
    services.log.warn('an event of an MCP server cannot be filtered, so its stream ends', {
      api: api.id,
      reason: String(cause),
      ...(cause instanceof BodyTooLarge ? { fix: 'raise max_read_response_size' } : {}),
    })
  })
  return withBody(response, filtered)
}

/** Sends the original bytes if nothing is hidden. */
async function filterWhole(
  response: GatewayResponse,
  { mcp }: RequestContext,
  isVisible: IsVisible,
  compileContext: CompileContext,
): Promise<GatewayResponse | Rejection> {
  if (response.body === undefined) return response
  const { services } = compileContext
  const limit = maxListBytes(compileContext)
  try {
    const sent = await bytesOfBody(response.body, limit)
    const encoding = codedAs(response)
    const coding = encoding === undefined ? undefined : codingOf(encoding, services)
    if (encoding !== undefined && coding === undefined) {
      return giveUp(compileContext, `the list has the unsupported coding ${encoding}`)
    }
    const plain = coding === undefined ? sent : await unpack(sent, coding, limit, services)
    const shown = hideItems(utf8Text(plain), mcp?.method, isVisible)
    if (shown !== undefined) removeHeader(response.headers, 'content-encoding')
    return withBody(response, shown === undefined ? sent : utf8Bytes(shown))
  } catch (cause) {
    return giveUp(compileContext, cause)
  }
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
  const bytes = typeof body === 'string' ? utf8Bytes(body) : body
  return bytes instanceof Uint8Array ? streamOf(bytes) : bytes
}

function codedAs({ headers }: GatewayResponse): string | undefined {
  const coding = headerOf(headers, 'content-encoding')
  return coding === undefined || coding.trim().toLowerCase() === 'identity' ? undefined : coding
}

/** Rejects the request: the list could contain items that the key may not see. */
function giveUp(compileContext: CompileContext, cause: unknown): Rejection {
  rejectUnreadable(compileContext, 'a list of an MCP server cannot be filtered, so it is not forwarded', cause)
  return rejections.upstreamBroken
}
