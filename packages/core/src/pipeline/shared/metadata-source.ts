/**
 * The OAuth metadata of an API: as a response, from its document or for an MCP proxy from its upstream, and as a hint
 * in `WWW-Authenticate` for clients whose key or token is missing or rejected (RFC 9728 section 5.1,
 * docs/reference/openapi-authentication.md#protected-resource-metadata).
 */
import { authModes } from '../../definition/auth-modes/auth-modes.ts'
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import {
  mirroredMetadata,
  originOf,
  resourceMetadataOf,
  rootMetadataPath,
  toWireMetadata,
} from '../../definition/openapi/resource-metadata-document.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Json } from '../../lib/json.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { VariableSource } from '../../lib/template/variable-text.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { makeDiscoveredPicker, makePicker } from './pick-target.ts'
import { bytesOfBody } from './response-bytes.ts'
import { compileText } from './variable-values.ts'

/** Longer documents are ignored. */
const maxBytes = 256 * 1024

interface MetadataSource {
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
      path: rootMetadataPath(target.basePath),
      headers: ['accept', 'application/json', 'accept-encoding', 'identity', 'host', target.host],
      body: undefined,
      bodyLength: undefined,
      timeoutMs: services.settings.upstream.timeoutMs,
      unpack: false,
    })
    if (result.kind === 'error') return undefined
    // A body that is too long or incomplete counts as missing.
    const text = result.body && (await bytesOfBody(result.body, maxBytes).then(utf8Text, () => undefined))
    const mirrored =
      result.status === 200 && text !== undefined ? mirroredMetadata(text, `${origin}${api.listenPath}`) : undefined
    return mirrored && answerOf(mirrored)
  }
}

function answerOf(metadata: Json): GatewayResponse {
  return { status: 200, headers: ['content-type', 'application/json'], body: JSON.stringify(metadata) }
}

/** Adds the header to the response to a rejection, if the stage that rejected it calls for one. */
export type AddLoginHint = (context: RequestContext, response: GatewayResponse, stage: string | undefined) => void

/**
 * Stages whose credential an OAuth server can issue. A basic login has a challenge of its own, the gateway itself
 * issues its OAuth tokens, and several groups of methods have no common hint.
 */
const stagesWithHint: ReadonlySet<string> = new Set(
  authModes.filter(({ isIssuedByOAuthServer }) => isIssuedByOAuthServer).map(({ stage }) => stage),
)

/** Returns `undefined` if the API publishes no metadata. */
export function makeLoginHint({ api, services }: CompileContext): AddLoginHint | undefined {
  const vendor = services.settings.vendor.toLowerCase()
  const isMcp = speaksMcp(api.document)
  const metadata = resourceMetadataOf(api.oas, services.settings.vendor, isMcp)
  if (metadata === undefined || api.authModes.length === 0 || api.authGroups !== undefined) return undefined
  const path = `${api.listenPath.replace(/\/$/, '')}${metadata.path}`
  return ({ request, rejectedIn }, response, stage) => {
    const asksKey = stagesWithHint.has(stage ?? '')
    // An expired key of an MCP proxy is rejected in a later phase.
    if (!asksKey && !(isMcp && response.status === 401 && rejectedIn !== '2-identify')) return
    const origin = originOf(request)
    if (origin === undefined || response.status >= 500) return
    const hint = `resource_metadata="${origin}${path}"`
    const challengeAt = response.headers.indexOf('www-authenticate') + 1
    if (challengeAt > 0 && response.headers[challengeAt]?.startsWith('Bearer ')) {
      response.headers[challengeAt] += `, ${hint}`
    } else response.headers.push('www-authenticate', `Bearer realm="${vendor}", ${hint}`)
  }
}
