/**
 * `graphql` of definitions and `persist_graphql` of path rules. Definitions keep them as they are written
 * (`graphql-settings.ts` reads them); these shapes describe them. Source: docs/reference/graphql.md.
 */
import { describedValue, wordOf } from '../lib/shape/free-value.ts'
import { anything, boolean, field, list, map, object, optional, type Shape, text } from '../lib/shape/shape.ts'

const proxyShape = object({
  features: object({
    useImmutableHeaders: field(boolean, { description: 'The header of the client wins over `request_headers`.' }),
  }),
  requestHeaders: field(map(text), { description: 'Headers of requests to the upstream; engine form only.' }),
  requestHeadersRewrite: field(
    map(
      object({
        value: field(text, { description: 'The value that the header gets.' }),
        remove: field(boolean, { description: 'Removes the header of the client instead.' }),
      }),
    ),
    { description: 'Headers of the client that are replaced or removed; engine form only.' },
  ),
  useResponseExtensions: object({
    onErrorForwarding: field(boolean, {
      description: 'Errors of the upstream contain its whole response; engine form only.',
    }),
  }),
  authHeaders: map(text),
  subscriptionType: text,
  sseUsePost: boolean,
})

const graphqlShape = object({
  enabled: field(boolean, { description: 'Checks GraphQL requests against `schema`.' }),
  executionMode: field(wordOf('proxyOnly', 'subgraph', 'executionEngine', 'supergraph'), {
    description: 'proxyOnly and subgraph pass checked requests on; see the support status for the others.',
  }),
  version: field(text, {
    description: 'Empty or 1: requests pass unchanged. 2 or 3-preview: the gateway writes request and response.',
  }),
  schema: field(text, { description: 'The schema in the GraphQL language.' }),
  lastSchemaUpdate: text,
  playground: object({
    enabled: field(boolean, { description: 'Serves a page that sends queries.' }),
    path: field(text, { description: 'Path of the page below the listen path. Default: the listen path.' }),
  }),
  proxy: proxyShape,
  introspection: object({ disabled: boolean }),
  subscription: anything,
  typeFieldConfigurations: field(list(anything), { description: 'Data sources of fields, older form.' }),
  engine: field(anything, { description: 'Data sources of fields.' }),
  subgraph: anything,
  supergraph: anything,
})

const storedOperationShape = object({
  path: field(text, { description: 'Path of the requests, with {name} for a part that `variables` uses.' }),
  method: field(text, { description: 'Method of the requests.' }),
  operation: field(text, { description: 'The GraphQL operation that is sent instead.' }),
  variables: field(map(anything), {
    description: 'Its variables; texts may contain $path.name and context variables.',
  }),
})

export const graphqlDocument: Shape<unknown> = describedValue(anything, optional(graphqlShape))
export const storedOperation: Shape<unknown> = describedValue(anything, storedOperationShape)
