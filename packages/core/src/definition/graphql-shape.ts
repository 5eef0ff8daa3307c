/**
 * `graphql` of definitions and `persist_graphql` of path rules. Definitions keep them as they are written
 * (`graphql-settings.ts` reads them); these shapes describe them. Source: docs/reference/graphql.md.
 */
import { describedValue, wordOf } from '../lib/shape/free-value.ts'
import { anything, boolean, described, list, map, object, optional, type Shape, text } from '../lib/shape/shape.ts'

const proxyShape = object({
  features: object({
    useImmutableHeaders: described('The header of the client wins over `request_headers`.', boolean),
  }),
  requestHeaders: described('Headers of requests to the upstream; engine form only.', map(text)),
  requestHeadersRewrite: described(
    'Headers of the client that are replaced or removed; engine form only.',
    map(
      object({
        value: described('The value that the header gets.', text),
        remove: described('Removes the header of the client instead.', boolean),
      }),
    ),
  ),
  useResponseExtensions: object({
    onErrorForwarding: described('Errors of the upstream contain its whole response; engine form only.', boolean),
  }),
  authHeaders: map(text),
  subscriptionType: text,
  sseUsePost: boolean,
})

const graphqlShape = object({
  enabled: described('Checks GraphQL requests against `schema`.', boolean),
  executionMode: described(
    'proxyOnly and subgraph pass checked requests on; see the support status for the others.',
    wordOf('proxyOnly', 'subgraph', 'executionEngine', 'supergraph'),
  ),
  version: described(
    'Empty or 1: requests pass unchanged. 2 or 3-preview: the gateway writes request and response.',
    text,
  ),
  schema: described('The schema in the GraphQL language.', text),
  lastSchemaUpdate: text,
  playground: object({
    enabled: described('Serves a page that sends queries.', boolean),
    path: described('Path of the page below the listen path. Default: the listen path.', text),
  }),
  proxy: proxyShape,
  introspection: object({ disabled: boolean }),
  subscription: anything,
  typeFieldConfigurations: described('Data sources of fields, older form.', list(anything)),
  engine: described('Data sources of fields.', anything),
  subgraph: anything,
  supergraph: anything,
})

const storedOperationShape = object({
  path: described('Path of the requests, with {name} for a part that `variables` uses.', text),
  method: described('Method of the requests.', text),
  operation: described('The GraphQL operation that is sent instead.', text),
  variables: described('Its variables; texts may contain $path.name and context variables.', map(anything)),
})

export const graphqlDocument: Shape<unknown> = describedValue(anything, optional(graphqlShape))
export const storedOperation: Shape<unknown> = describedValue(anything, storedOperationShape)
