/**
 * The OAuth metadata of an MCP proxy as a response, from its document or from its upstream
 * (docs/reference/mcp-proxies.md#login-hints).
 */

import {
  mirroredMetadata,
  originOf,
  ownMetadata,
  upstreamMetadataPath,
} from '../../definition/mcp/resource-metadata.ts'
import { type ByteStream, collect } from '../../http/byte-stream.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Json } from '../../lib/json.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { CompileContext } from '../contract/stage.ts'
import { makeDiscoveredPicker } from './discovered-targets.ts'
import { makePicker } from './pick-target.ts'

/** Longer documents are ignored. */
const maxBytes = 256 * 1024

/** Reads the metadata for a request; `undefined` if there are none or the upstream cannot be reached. */
export type ReadMetadata = (request: GatewayRequest) => Maybe<GatewayResponse | undefined>

export function makeReadMetadata(compileContext: CompileContext): ReadMetadata {
  const { api, services } = compileContext
  const own = ownMetadata(api.oas, services.settings.vendor)
  if (own !== undefined) return () => answerOf(own)
  const pick = makePicker(compileContext)
  const discover = makeDiscoveredPicker(compileContext)
  return async (request) => {
    const origin = originOf(request)
    const target = (await discover?.()) ?? pick()
    if (target === undefined || 'kind' in target || origin === undefined) return undefined
    const result = await target.link.send({
      method: 'GET',
      path: upstreamMetadataPath(target.basePath),
      headers: ['accept', 'application/json', 'accept-encoding', 'identity', 'host', target.host],
      body: undefined,
      bodyLength: undefined,
      timeoutMs: services.settings.upstream.timeoutMs,
      unpack: false,
    })
    if (result.kind === 'error') return undefined
    const text = await textOf(result.body)
    const mirrored =
      result.status === 200 && text !== undefined ? mirroredMetadata(text, `${origin}${api.listenPath}`) : undefined
    return mirrored && answerOf(mirrored)
  }
}

async function textOf(body: ByteStream | Uint8Array | undefined): Promise<string | undefined> {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body.length > maxBytes ? undefined : utf8Text(body)
  try {
    return utf8Text(await collect(body, maxBytes))
  } catch {
    return undefined
  }
}

function answerOf(metadata: Json): GatewayResponse {
  return { status: 200, headers: ['content-type', 'application/json'], body: JSON.stringify(metadata) }
}
