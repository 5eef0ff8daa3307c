import type { CheckedOperation, CheckedQuery } from '../../lib/graphql/checked-query.ts'
import type { Json } from '../../lib/json.ts'

/** The checked query of a request to a GraphQL API. */
export interface GraphqlRequest {
  readonly query: CheckedQuery
  /** The operation that the request selects. */
  readonly operation: CheckedOperation
  readonly variables: Json
  /** The body that was checked. */
  readonly body: Uint8Array
  /** 5-respond/respond-from-schema: the root fields that the schema answers. */
  introspected: Json
}
