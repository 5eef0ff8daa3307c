/**
 * Engine form of GraphQL: replaces the body of the upstream by one with exactly the selected fields
 * (docs/reference/graphql.md#engine-form).
 */

import { headerOf, removeHeader, setHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { graphqlTools } from '../../lib/graphql/load-graphql.ts'
import { jsonLimitProblem, readExactJson } from '../../lib/text/read-json.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { GraphqlRequest, RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeResponseStage } from '../contract/stage.ts'
import { type CompiledGraphql, compileGraphql } from '../graphql/compiled-graphql.ts'
import { codingOf, pack, unpack } from '../shared/recode-body.ts'
import {
  BodyTooComplex,
  bytesOfBody,
  maxBufferedResponseBytes,
  rejectUnreadable,
  withBody,
} from '../shared/response-bytes.ts'

export const makeGraphqlResponse: MakeResponseStage = (compileContext) => {
  const graphql = compileGraphql(compileContext.api)
  if (graphql === null || graphql.form !== 'engine') return null
  return {
    async run(context, response) {
      const { graphql: request } = context
      if (request === undefined || context.outgoing.method === 'HEAD') return response
      try {
        return await shape(request, response, context, graphql, compileContext)
      } catch (cause) {
        return giveUp(context, compileContext, cause)
      }
    },
  }
}

async function shape(
  request: GraphqlRequest,
  response: GatewayResponse,
  { request: { headers } }: RequestContext,
  { settings, checker }: CompiledGraphql,
  { services }: CompileContext,
): Promise<GatewayResponse> {
  const limit = maxBufferedResponseBytes(services)
  const bytes = await bytesOfBody(response.body, limit)
  const encoding = headerOf(response.headers, 'content-encoding')
  const coding = encoding === undefined || bytes.length === 0 ? undefined : codingOf(encoding, services)
  const plain = coding === undefined ? bytes : await unpack(bytes, coding, limit, services)
  const { operation, introspected, variables } = request
  const problem = jsonLimitProblem(plain)
  if (problem !== undefined) throw new BodyTooComplex(problem)
  const { value: body } = { value: undefined, ...readExactJson(plain) }
  const text = graphqlTools().shapeResult(operation.tree, checker.schema, {
    body,
    introspected,
    variables: { ...operation.defaults, ...variables },
    forwardsErrors: settings.forwardsErrors && response.status >= 400,
  })
  const packs = coding !== undefined && headerOf(headers, 'accept-encoding') !== undefined
  withBody(response, packs ? await pack(utf8Bytes(text), coding, services) : text)
  if (!packs) removeHeader(response.headers, 'content-encoding')
  setHeader(response.headers, 'content-type', 'application/json')
  return response
}

/** Rejects the request if the body of the upstream is incomplete or too long. */
function giveUp(context: RequestContext, compileContext: CompileContext, cause: unknown): GatewayResponse {
  const rejection = rejectUnreadable(compileContext, 'a GraphQL response cannot be read', cause)
  context.rejection = rejection
  context.rejectedBy = 'graphql-response'
  context.rejectedIn = '6-shape-response'
  return compileContext.services.errors.render(rejection, context.request)
}
