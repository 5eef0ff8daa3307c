/**
 * Checks requests to a GraphQL API: the form of the request, the query against the schema, and the limits of the key. It
 * runs after rate and quota, so a request without a valid key is rejected before its query is read
 * (docs/reference/graphql.md#order-of-checks).
 */
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { type Rejection, rejections, reword } from '../../http/rejections.ts'
import { formFields, isFormType } from '../../lib/form.ts'
import type { CheckedQuery } from '../../lib/graphql/checked-query.ts'
import { graphqlTools } from '../../lib/graphql/load-graphql.ts'
import type { QueryError } from '../../lib/graphql/query-error.ts'
import { isJson, type Json } from '../../lib/json.ts'
import { foldsToOneOf } from '../../lib/text/folded-name.ts'
import { parseExactly } from '../../lib/text/json-number.ts'
import { readUnambiguousJson } from '../../lib/text/unambiguous-json.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import { checkGraphqlRights } from '../../session/access/check-graphql-rights.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage } from '../contract/stage.ts'
import { type CompiledGraphql, compileGraphql } from '../graphql/compiled-graphql.ts'
import { withRequestBody } from '../shared/request-body.ts'

/** Limit of a request in bytes if the gateway configures none; parsing is synchronous. */
const maxRequestBytes = 1024 * 1024

export const makeGraphqlCheck: MakeStage = ({ api, services }) => {
  const graphql = compileGraphql(api)
  if (graphql === null) return null
  const { unserved } = graphql
  if (unserved !== undefined) {
    services.log.error('an API rejects every request: its GraphQL settings cannot be served', {
      api: api.id,
      reason: unserved.reason,
    })
    return { run: () => unserved.rejection }
  }
  const { settings } = services
  const limited = { settings: { ...settings, maxBodyBytes: settings.maxBodyBytes || maxRequestBytes } }
  const webSockets = settings.upstream.graphqlUpgrades ?? false
  return {
    run(context) {
      const rejected = rejectTransport(context, graphql, webSockets)
      if (rejected !== undefined) return rejected
      return withRequestBody(context, limited, (body) => checkBody(body, context, graphql))
    },
  }
}

/** Characters between the fields of a form. JSON without them is a single field whose name begins with a brace. */
const formSeparator = /[&;]/
const protocols: ReadonlySet<string> = new Set(['graphql-ws', 'graphql-transport-ws'])

/** Rejects requests whose query the upstream could read from another place than the body. */
function rejectTransport(
  { request, outgoing }: RequestContext,
  { form }: CompiledGraphql,
  webSockets: boolean,
): Rejection | undefined {
  const { headers } = request
  if (request.upgrade === 'websocket' || headerOf(headers, 'upgrade')?.trim().toLowerCase() === 'websocket') {
    if (form === 'simple' || !webSockets) return rejections.graphqlWebSocket
    const wanted = (headerOf(headers, 'sec-websocket-protocol') ?? '').split(',')
    return wanted.some((name) => protocols.has(name.trim()))
      ? rejections.graphqlSubscription
      : rejections.graphqlProtocol
  }
  if (request.body === undefined && outgoing.body === undefined) return rejections.graphqlEmpty
  if (outgoing.query !== '' && formFields(outgoing.query).has('query')) {
    return malformed('the query must be in the body, not in the URL')
  }
  return undefined
}

function malformed(message: string): Rejection {
  return reword(rejections.graphqlMalformed, { message })
}

function checkBody(bytes: Uint8Array, context: RequestContext, graphql: CompiledGraphql): Rejection | undefined {
  if (bytes.length === 0) return rejections.graphqlEmpty
  const read = readGraphqlBody(bytes, context.request.headers)
  if (typeof read === 'string') return malformed(read)
  const { query, error } = graphql.checker.check(read.query)
  if (query === undefined) return invalid(error)
  const isForm = isFormType(headerOf(context.request.headers, 'content-type'))
  if (isForm && formSeparator.test(utf8Text(bytes))) return malformed('the request must be JSON, not a form')
  return selectOperation(query, read, bytes, context, graphql) ?? checkLimits(query, context)
}

function checkLimits(query: CheckedQuery, { access }: RequestContext): Rejection | undefined {
  if (access?.graphql === undefined) return undefined
  const trees = query.operations.map(({ tree }) => tree)
  const problem = checkGraphqlRights(trees, access.graphql)
  switch (problem?.kind) {
    case undefined:
      return undefined
    case 'depth':
      return rejections.graphqlDepth
    case 'introspection':
      return rejections.graphqlIntrospection
    case 'field':
      return invalid({ message: problem.message })
  }
}

/** The simple form leaves it to the upstream to reject a name that no operation has. */
function selectOperation(
  query: CheckedQuery,
  { operationName, variables: sent }: GraphqlBody,
  body: Uint8Array,
  context: RequestContext,
  { form, settings }: CompiledGraphql,
): Rejection | undefined {
  const variables = sent ?? {}
  const { checkVariables, chooseOperation } = graphqlTools()
  if (settings.version === '2' && operationName === '' && query.operations.length > 1) {
    return invalid({ message: 'operationName is missing: the query has several operations' })
  }
  const operation = chooseOperation(query, operationName)
  if (operation === undefined) {
    return form === 'simple' ? undefined : invalid({ message: `operation with name ${operationName} not found` })
  }
  const error = checkVariables(operation.tree, operation.declared, variables)
  if (error !== undefined) return invalid(error)
  context.graphql = { query, operation, variables, sent, body, introspected: {} }
  return undefined
}

function invalid(error: QueryError): Rejection {
  return { ...reword(rejections.graphqlInvalid, { message: error.message }), json: graphqlTools().errorsBody(error) }
}

interface GraphqlBody {
  readonly query: string
  /** Empty: the request names no operation. */
  readonly operationName: string
  /** `undefined`: the request has none. */
  readonly variables: Json | undefined
}

const checkedMembers: ReadonlySet<string> = new Set(['query', 'operationname', 'variables'])

/** Reads the body of a request: `{"query", "operationName", "variables", "extensions"}`. Returns why it is malformed. */
export function readGraphqlBody(bytes: Uint8Array, headers: HeaderPairs): GraphqlBody | string {
  const { value, problem } = { value: undefined, ...readUnambiguousJson(headers, bytes, parseExactly) }
  if (problem !== undefined) return problem
  if (!isJson(value)) return 'the request must be a JSON object with a member "query"'
  const { query = null, operationName = null, variables = null, ...others } = value
  const alike = Object.keys(others).find((name) => foldsToOneOf(name, checkedMembers))
  if (alike !== undefined) return `the member ${JSON.stringify(alike)} must be written in its exact case`
  if (query !== null && typeof query !== 'string') return '"query" must be a text'
  if (operationName !== null && typeof operationName !== 'string') return '"operationName" must be a text'
  if (variables !== null && !isJson(variables)) return '"variables" must be an object'
  return { query: query ?? '', operationName: operationName ?? '', variables: variables ?? undefined }
}
