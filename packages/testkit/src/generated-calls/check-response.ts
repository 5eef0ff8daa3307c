/** Checks the response to a generated call against the OpenAPI document. */
import type { AnyDocument } from './documented-operations.ts'
import type { GeneratedCall } from './generated-call.ts'
import { schemaViolation } from './schema-fit.ts'

export interface ReceivedResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** A response with status 500 or above that the contract allows. */
export interface DocumentedFailure {
  readonly operation: string
  readonly status: number
  readonly message: RegExp
  /** The section of docs/reference that documents it. */
  readonly source: string
}

/** Describes the first violation, or returns `undefined` if the response is valid. */
export function checkResponse(
  { operation }: GeneratedCall,
  { status, contentType, body }: ReceivedResponse,
  document: AnyDocument,
  documented: readonly DocumentedFailure[],
): string | undefined {
  if (status >= 500 && !documented.some((one) => matches(one, operation.id, status, body))) {
    return `${operation.id} responded with ${status}, which is not documented: ${body.slice(0, 200)}`
  }
  if (!operation.responses.has(status)) return `${operation.id} does not document ${status}: ${body.slice(0, 200)}`
  const schema = operation.responses.get(status)
  if (schema === undefined) return undefined
  if (!contentType.startsWith('application/json'))
    return `${operation.id} responded with ${status} and content type ${contentType}`
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return `${operation.id} responded with ${status} and a body that is not JSON: ${body.slice(0, 200)}`
  }
  const problem = schemaViolation(value, schema, document)
  return problem && `${operation.id} ${status}: ${problem}`
}

function matches({ operation, status, message }: DocumentedFailure, id: string, given: number, body: string): boolean {
  return operation === id && status === given && message.test(body)
}
