/** The errors of a query, in the form in which GraphQL responses list them. Clients rely on the texts. */
import { type ASTNode, getLocation } from 'graphql'

export interface Place {
  readonly line: number
  readonly column: number
}

/** Only the first error of a query is reported. */
export interface QueryError {
  readonly message: string
  readonly locations?: readonly Place[]
  readonly path?: readonly string[]
}

/** The result of a check; `undefined`: the query passes. */
export type Verdict = QueryError | undefined

/** The place where a node begins in the query. */
export function placeOf({ loc }: ASTNode): Place {
  return loc === undefined ? { line: 0, column: 0 } : getLocation(loc.source, loc.start)
}

/** The body of the response: `{"errors":[…]}`. */
export function errorsBody(error: QueryError): string {
  return JSON.stringify({ errors: [error] })
}
