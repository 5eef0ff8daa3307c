/**
 * Replaces the body of a response by a rendered template. An invalid body gives the template no data, and a body longer
 * than `max_response_body_size` is rejected. Compressed bodies are decompressed, and compressed again if the client sends
 * Accept-Encoding (docs/reference/transforms.md#body-templates).
 */
import { BodyTooLarge, collect } from '../../http/byte-stream.ts'
import { headerOf, removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { escapeXml } from '../../lib/text/escape-markup.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { type BodyTemplate, compileBodyTemplate } from '../shared/body-template.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { BodyTooComplex, maxBufferedResponseBytes, responseLimitFix } from '../shared/request-body.ts'
import { codingOf, pack, unpack } from './content-coding.ts'
import { firesFor } from './response-processors.ts'

export const makeResponseBody: MakeResponseStage = (compileContext) => {
  if (!firesFor('response_body_transform', compileContext)) return null
  const find = compilePathRules(compileContext.version.paths.transformResponse, compileContext, (rule) =>
    compileBodyTemplate(rule, compileContext),
  )
  if (find === null) return null
  return {
    name: 'response-body',
    phase: '6-shape-response',
    run(context, response) {
      const template = find(context)
      if (template === undefined || !mayHaveBody(context, response)) return response
      const { body } = response
      if (body instanceof Uint8Array || typeof body === 'string' || body === undefined) {
        return change(
          template,
          typeof body === 'string' ? utf8Bytes(body) : (body ?? noBody),
          context,
          response,
          compileContext,
        )
      }
      return collect(body, maxBufferedResponseBytes(compileContext.services)).then(
        (bytes) => change(template, bytes, context, response, compileContext),
        (cause: unknown) => giveUp(compileContext, cause),
      )
    },
  }
}

const noBody = new Uint8Array(0)

/** RFC 9110 section 6.4.1. */
function mayHaveBody({ outgoing }: RequestContext, { status }: GatewayResponse): boolean {
  return outgoing.method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
}

function change(
  template: BodyTemplate,
  bytes: Uint8Array,
  context: RequestContext,
  response: GatewayResponse,
  compileContext: CompileContext,
): Maybe<GatewayResponse | Rejection> {
  const limit = maxBufferedResponseBytes(compileContext.services)
  if (bytes.length > limit) return giveUp(compileContext, new BodyTooLarge(limit))
  const encoding = headerOf(response.headers, 'content-encoding')
  if (encoding === undefined || bytes.length === 0) {
    const problem = template.limitProblem(bytes)
    if (problem !== undefined) return giveUp(compileContext, new BodyTooComplex(problem))
    return withBody(response, write(template, bytes, context, response) ?? bytes)
  }
  return changePacked(template, bytes, encoding, context, response, compileContext)
}

async function changePacked(
  template: BodyTemplate,
  bytes: Uint8Array,
  encoding: string,
  context: RequestContext,
  response: GatewayResponse,
  compileContext: CompileContext,
): Promise<GatewayResponse | Rejection> {
  const { log } = compileContext.services
  const coding = codingOf(encoding, compileContext.services)
  if (coding === undefined) {
    log.warn('a body cannot be changed: its content coding is not supported', { api: compileContext.api.id, encoding })
    return withBody(response, bytes)
  }
  let plain: Uint8Array
  try {
    plain = await unpack(bytes, coding, maxBufferedResponseBytes(compileContext.services), compileContext.services)
  } catch (cause) {
    return giveUp(compileContext, cause)
  }
  const problem = template.limitProblem(plain)
  if (problem !== undefined) return giveUp(compileContext, new BodyTooComplex(problem))
  const made = write(template, plain, context, response)
  if (made === undefined) return withBody(response, bytes)
  if (headerOf(context.request.headers, 'accept-encoding') !== undefined) {
    return withBody(response, await pack(made, coding, compileContext.services))
  }
  removeHeader(response.headers, 'content-encoding')
  return withBody(response, made)
}

/** Returns `undefined` if the template failed; the body then stays unchanged. */
function write(
  template: BodyTemplate,
  body: Uint8Array,
  context: RequestContext,
  response: GatewayResponse,
): Uint8Array | undefined {
  return template.render(
    template.read(body) ?? new Map(),
    context,
    escapeFor(headerOf(response.headers, 'content-type')),
  )
}

/** How values of variables are escaped in a body of this type; `undefined`: not at all. */
function escapeFor(contentType: string | undefined): ((value: string) => string) | undefined {
  const type = contentType?.toLowerCase() ?? ''
  if (type.includes('json')) return (value) => JSON.stringify(value).slice(1, -1)
  return type.includes('xml') || type.includes('html') ? escapeXml : undefined
}

/** Sets the body. The front end computes Content-Length, so that of the upstream is removed. */
function withBody(response: GatewayResponse, body: Uint8Array): GatewayResponse {
  removeHeader(response.headers, 'content-length')
  response.body = body
  response.bodyLength = undefined
  return response
}

/** Rejects the request if the body of the upstream is incomplete, invalid or too long. */
function giveUp({ services, api }: CompileContext, cause: unknown): Rejection {
  const isTooLarge = cause instanceof BodyTooLarge || cause instanceof BodyTooComplex
  services.log.warn('a body cannot be changed: it cannot be read', {
    api: api.id,
    reason: String(cause),
    ...(cause instanceof BodyTooLarge ? { fix: responseLimitFix } : {}),
  })
  return isTooLarge ? rejections.responseTooLarge : rejections.upstreamBroken
}
