/**
 * The OAuth metadata of an API as a response, from its document, or for an MCP proxy from its upstream
 * (docs/reference/openapi-authentication.md#protected-resource-metadata).
 */

import { speaksMcp } from '../../definition/mcp/primitive.ts'
import {
  mirroredMetadata,
  originOf,
  resourceMetadataOf,
  toWireMetadata,
  upstreamMetadataPath,
} from '../../definition/openapi/resource-metadata-document.ts'
import { type ByteStream, collect } from '../../http/byte-stream.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Json } from '../../lib/json.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { VariableSource } from '../../lib/template/variable-text.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { CompileContext } from '../contract/stage.ts'
import { makeDiscoveredPicker } from './discovered-targets.ts'
import { makePicker } from './pick-target.ts'
import { compileText } from './variables-of.ts'

/** Longer documents are ignored. */
const maxBytes = 256 * 1024

export interface MetadataSource {
  /** Path below the listen path. */
  readonly path: string
  /** Reads the metadata for a request; `undefined` if the upstream cannot be reached or has none. */
  read(request: GatewayRequest, variables: () => VariableSource): Maybe<GatewayResponse | undefined>
}

/** Returns `undefined` if the API publishes no metadata. */
export function makeReadMetadata(compileContext: CompileContext): MetadataSource | undefined {
  const { api, services } = compileContext
  const metadata = resourceMetadataOf(api.oas, services.settings.vendor, speaksMcp(api.document))
  if (metadata === undefined) return undefined
  const { path, own } = metadata
  if (own === undefined) return { path, read: makeMirror(compileContext) }
  const resource = compileText(own.resource, compileContext)
  return {
    path,
    read: (_, variables) => answerOf(toWireMetadata(own, resource.constant ?? resource.resolve(variables()))),
  }
}

/** Reads the metadata of the upstream. */
function makeMirror(compileContext: CompileContext): MetadataSource['read'] {
  const { api, services } = compileContext
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
