/**
 * Replaces the body of a response by a rendered template. An invalid body, or one with a content coding that the gateway
 * does not support, gives the template no data. A body longer than `max_response_body_size`, and one on which the template
 * fails, is rejected, so that the client never gets a body that the template was to change. Compressed bodies are decompressed, and compressed again with the coding
 * of the upstream if the client sends any Accept-Encoding (docs/reference/transforms.md#body-templates).
 */
import { headerOf, removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { escapeXml } from '../../lib/text/escape-markup.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { type BodyTemplate, compileBodyTemplate } from '../shared/body-template.ts'
import { compilePathRules } from '../shared/match-path-rules.ts'
import { type Coding, codingOf, pack, unpack } from '../shared/recode-body.ts'
import {
  BodyTooComplex,
  bytesOfBody,
  maxBufferedResponseBytes,
  rejectUnreadable,
  withBody,
} from '../shared/response-bytes.ts'
import { firesFor } from '../shared/response-processors.ts'

export const makeResponseBody: MakeResponseStage = (compileContext) => {
  if (!firesFor('response_body_transform', compileContext)) return null
  const find = compilePathRules(compileContext.version.paths.transformResponse, compileContext, (rule) =>
    compileBodyTemplate(rule, compileContext),
  )
  if (find === null) return null
  return {
    run(context, response) {
      const template = find(context)
      if (template === undefined || !mayHaveBody(context, response)) return response
      return change(template, context, response, compileContext)
    },
  }
}

const noBytes = new Uint8Array(0)

/** RFC 9110 section 6.4.1. */
function mayHaveBody({ outgoing }: RequestContext, { status }: GatewayResponse): boolean {
  return outgoing.method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304
}

async function change(
  template: BodyTemplate,
  context: RequestContext,
  response: GatewayResponse,
  compileContext: CompileContext,
): Promise<GatewayResponse | Rejection> {
  const { services, api } = compileContext
  const limit = maxBufferedResponseBytes(services)
  let bytes: Uint8Array
  let plain: Uint8Array
  let coding: Coding | undefined
  try {
    bytes = await bytesOfBody(response.body, limit)
    const encoding = bytes.length === 0 ? undefined : headerOf(response.headers, 'content-encoding')
    coding = encoding === undefined ? undefined : codingOf(encoding, services)
    if (encoding !== undefined && coding === undefined) {
      services.log.warn('a body cannot be read: its content coding is not supported', { api: api.id, encoding })
      bytes = noBytes
    }
    plain = coding === undefined ? bytes : await unpack(bytes, coding, limit, services)
    const problem = template.limitProblem(plain)
    if (problem !== undefined) throw new BodyTooComplex(problem)
  } catch (cause) {
    return rejectUnreadable(compileContext, 'a body cannot be changed: it cannot be read', cause)
  }
  const encode = escapeFor(headerOf(response.headers, 'content-type'))
  const made = template.render(template.read(plain) ?? new Map(), context, encode)
  if (made === undefined) return rejections.templateFailed
  if (coding !== undefined && headerOf(context.request.headers, 'accept-encoding') !== undefined) {
    return withBody(response, await pack(made, coding, services))
  }
  removeHeader(response.headers, 'content-encoding')
  return withBody(response, made)
}

/** How values of variables are escaped in a body of this type; `undefined`: not at all. */
function escapeFor(contentType: string | undefined): ((value: string) => string) | undefined {
  const type = contentType?.toLowerCase() ?? ''
  if (type.includes('json')) return (value) => JSON.stringify(value).slice(1, -1)
  return type.includes('xml') || type.includes('html') ? escapeXml : undefined
}
