/**
 * Replaces error responses of the upstream by rules of `error_overrides`, after the other stages that shape a response
 * and before the cache stores it (docs/reference/error-responses.md#override-response).
 */

import type { OverrideRule } from '../../definition/error-override-rules.ts'
import { cancelBody } from '../../http/byte-stream.ts'
import { removeHeader, setHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { peek } from '../../http/peek-stream.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { formatFor, overridesOf, textOfRule } from '../errors/error-overrides.ts'
import {
  bytesToRead,
  hidesBody,
  makeRulesFor,
  parsedBytes,
  ruleForResponse,
  type UpstreamFacts,
} from '../errors/find-rule.ts'
import { codingOf, unpack } from '../shared/recode-body.ts'
import { withBody } from '../shared/response-bytes.ts'

export const makeOverrideUpstreamErrors: MakeResponseStage = (compileContext) => {
  const sources = overridesOf(compileContext)
  if (sources.length === 0) return null
  const rulesFor = makeRulesFor(sources)
  return {
    run(context, response) {
      const { status } = response
      if (status < 400 || !isOfUpstream(context)) return response
      const rules = rulesFor(status)
      const otherwise = hidesBody(sources, status) ? unreadableRule : undefined
      if (rules.length === 0 && otherwise === undefined) return response
      const wanted = bytesToRead(rules)
      const apply = (facts: Omit<UpstreamFacts, 'status'>) => {
        const rule = ruleForResponse(rules, { ...facts, status }) ?? otherwise
        return rule === undefined ? response : replace(rule, context, response, compileContext)
      }
      return wanted === 0 ? apply({ body: noBytes, isWhole: false }) : read(response, wanted, compileContext, apply)
    },
  }
}

const noBytes = new Uint8Array(0)

/** Replaces the body as a rule would that cannot be read. */
const unreadableRule: OverrideRule = {
  ...{ flag: '', messagePattern: undefined, bodyField: undefined, status: 0, headers: [] },
  ...{ body: '', bodyTemplate: undefined, templateName: '', message: 'There was a problem proxying the request' },
}

/** Mocks and other responses of the gateway stay as they are. */
function isOfUpstream({ upstreamAddress, fromCache, rejection }: RequestContext): boolean {
  return (upstreamAddress !== '' || fromCache) && rejection === undefined
}

type Apply = (facts: Omit<UpstreamFacts, 'status'>) => GatewayResponse

/** Reads the beginning of the body, all of it if it is compressed, and leaves the body readable. */
function read(
  response: GatewayResponse,
  wanted: number,
  compileContext: CompileContext,
  apply: Apply,
): Maybe<GatewayResponse> {
  const { body } = response
  const encoding = response.headers.includes('content-encoding')
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' ? utf8Bytes(body) : (body ?? noBytes)
    if (!encoding) return apply({ body: bytes, isWhole: true })
    return unpacked({ body: bytes, isWhole: true }, response, compileContext).then(apply)
  }
  return peek(body, encoding ? parsedBytes : wanted).then(async ({ head, isWhole, stream }) => {
    response.body = stream
    const facts = { body: head, isWhole }
    return apply(encoding ? await unpacked(facts, response, compileContext) : facts)
  })
}

const unreadable = { body: noBytes, isWhole: false }

async function unpacked(
  { body, isWhole }: Omit<UpstreamFacts, 'status'>,
  { headers }: GatewayResponse,
  { services }: CompileContext,
): Promise<Omit<UpstreamFacts, 'status'>> {
  const coding = codingOf(headers[headers.indexOf('content-encoding') + 1] ?? '', services)
  if (coding === undefined || !isWhole) return unreadable
  try {
    return { body: await unpack(body, coding, parsedBytes, services), isWhole }
  } catch {
    // A body that cannot be decompressed matches no rule that needs it.
    return unreadable
  }
}

function replace(
  rule: OverrideRule,
  context: RequestContext,
  response: GatewayResponse,
  { services: { errors } }: CompileContext,
): GatewayResponse {
  const { format, contentType } = formatFor(context.request)
  const status = rule.status === 0 ? response.status : rule.status
  const values = { status, message: rule.message }
  const text =
    textOfRule(rule, values, format, errors) ?? (rule.message === '' ? undefined : errors.commonText(values, format))
  response.status = status
  if (text !== undefined) {
    cancelBody(response.body, new Error('another response is sent'))
    removeHeader(response.headers, 'content-encoding')
    setHeader(response.headers, 'content-type', contentType)
    withBody(response, context.request.method === 'HEAD' ? undefined : text)
  }
  for (const [name, value] of rule.headers) setHeader(response.headers, name, value)
  return response
}
