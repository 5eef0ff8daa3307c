/**
 * Engine form of GraphQL: replaces the request to the upstream by one of the gateway's own, with the selected operation
 * only, on the target URL alone (docs/reference/graphql.md#engine-form).
 */

import type { GraphqlSettings } from '../../definition/graphql-settings.ts'
import { headerOf, removeHeader, setHeader } from '../../http/headers.ts'
import { graphqlTools } from '../../lib/graphql/load-graphql.ts'
import type { VariableText } from '../../lib/template/variable-text.ts'
import { headerSafe } from '../../lib/text/field-values.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { compileGraphql } from '../graphql/compiled-graphql.ts'
import { compileText, variablesOf } from '../shared/variable-values.ts'

export const makeGraphqlRequest: MakeStage = (compileContext) => {
  const graphql = compileGraphql(compileContext.api)
  if (graphql === null || graphql.form !== 'engine' || graphql.settings.mode !== 'proxy') return null
  const setHeaders = compileHeaders(graphql.settings, compileContext)
  return {
    run(context) {
      const { graphql: request, outgoing, loop } = context
      if (request?.operation.upstream === undefined) return undefined
      // A rewrite that sends the request elsewhere has chosen the path too.
      if (outgoing.target === undefined && loop === undefined) {
        outgoing.path = ''
        outgoing.query = ''
      }
      // A body transform has the last word.
      if (outgoing.body === request.body) {
        outgoing.body = utf8Bytes(graphqlTools().writeUpstreamBody(request.operation.upstream, request.sent))
      }
      setHeaders(context)
      return undefined
    },
  }
}

function compileHeaders(
  { requestHeaders, clientHeadersWin, rewrittenHeaders }: GraphqlSettings,
  compileContext: CompileContext,
): (context: RequestContext) => void {
  const own = requestHeaders.map(([name, value]) => ({ name, value: compileText(value, compileContext) }))
  const rewritten = rewrittenHeaders.map((rule) => ({ ...rule, value: compileText(rule.value, compileContext) }))
  const textFor = (value: VariableText, context: RequestContext) =>
    headerSafe(value.constant ?? value.resolve(variablesOf(context, compileContext)))
  return (context) => {
    const headers = context.outgoing.ownHeaders()
    for (const name of ['content-length', 'content-md5', 'content-encoding']) removeHeader(headers, name)
    setHeader(headers, 'accept', 'application/json')
    setHeader(headers, 'content-type', 'application/json')
    for (const { name, value } of own) {
      if (clientHeadersWin && headerOf(context.request.headers, name) !== undefined) continue
      setHeader(headers, name, textFor(value, context))
    }
    for (const { name, value, remove } of rewritten) {
      if (remove) removeHeader(headers, name)
      else setHeader(headers, name, textFor(value, context))
    }
  }
}
