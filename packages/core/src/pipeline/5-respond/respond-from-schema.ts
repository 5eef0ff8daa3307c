/**
 * Responds to the parts of a GraphQL query that need no upstream: introspection from the schema, the name of the root type,
 * and every field of an engine without data sources (docs/reference/graphql.md#introspection).
 */

import type { GatewayResponse } from '../../http/messages.ts'
import { rejections, reword } from '../../http/rejections.ts'
import { graphqlTools } from '../../lib/graphql/load-graphql.ts'
import { introspects, onlyIntrospects } from '../../lib/graphql/operation-tree.ts'
import type { GraphqlRequest } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'
import { type CompiledGraphql, compileGraphql } from '../graphql/compiled-graphql.ts'

export const makeRespondFromSchema: MakeStage = ({ api }) => {
  const graphql = compileGraphql(api)
  if (graphql === null || graphql.unserved !== undefined) return null
  return {
    run(context) {
      const { graphql: request } = context
      if (request === undefined) return undefined
      const outcome = respond(request, graphql)
      // The gateway has resolved every field, so the response needs no further shaping.
      if (outcome !== undefined) context.graphql = undefined
      return outcome
    },
  }
}

function respond(request: GraphqlRequest, { form, settings, checker }: CompiledGraphql): Outcome {
  const { operation, query, variables } = request
  const { tree } = operation
  const { errorsBody, introspect, shapeResult } = graphqlTools()
  const isWhole = onlyIntrospects(tree)
  if (isWhole || (form === 'engine' && introspects(tree))) {
    const given = { ...operation.defaults, ...variables }
    const { data, error } = introspect(tree, query.fragments, checker.schema, given)
    if (data === undefined) return { ...reword(rejections.graphqlInvalid, error), json: errorsBody(error) }
    if (isWhole) return jsonResponse(JSON.stringify({ data }))
    request.introspected = data
  }
  if (settings.mode === 'null-fields' && form === 'simple') return jsonResponse('{"data":null}')
  if (form === 'simple') return undefined
  if (tree.node.operation === 'subscription') return rejections.upstreamBroken
  if (settings.mode === 'proxy' && operation.upstream !== undefined) return undefined
  const withoutUpstream = {
    body: undefined,
    introspected: request.introspected,
    variables: { ...operation.defaults, ...variables },
    forwardsErrors: false,
  }
  return jsonResponse(shapeResult(tree, checker.schema, withoutUpstream))
}

function jsonResponse(body: string): GatewayResponse {
  return { status: 200, headers: ['content-type', 'application/json'], body }
}
