/** What is wrong with an answer to a generated call, measured by the document. */
import type { AnyDocument } from './documented-operations.ts'
import type { GeneratedCall } from './generated-call.ts'
import { misfit } from './schema-fit.ts'

export interface ReceivedResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** A status of 500 and above that is part of the contract. */
export interface DocumentedFailure {
  readonly operation: string
  readonly status: number
  readonly message: RegExp
  /** Where the specification says so. */
  readonly source: string
}

/** `undefined`: the answer is in order. */
export function checkResponse(
  { operation }: GeneratedCall,
  { status, contentType, body }: ReceivedResponse,
  document: AnyDocument,
  recorded: readonly DocumentedFailure[],
): string | undefined {
  if (status >= 500 && !recorded.some((one) => isThis(one, operation.id, status, body))) {
    return `${operation.id} answered ${status}, which is not recorded: ${body.slice(0, 200)}`
  }
  if (!operation.answers.has(status)) return `${operation.id} does not document ${status}: ${body.slice(0, 200)}`
  const schema = operation.answers.get(status)
  if (schema === undefined) return undefined
  if (!contentType.startsWith('application/json')) return `${operation.id} answered ${status} as ${contentType}`
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return `${operation.id} answered ${status} with what is no JSON: ${body.slice(0, 200)}`
  }
  const problem = misfit(value, schema, document)
  return problem && `${operation.id} ${status}: ${problem}`
}

function isThis({ operation, status, message }: DocumentedFailure, id: string, given: number, body: string): boolean {
  return operation === id && status === given && message.test(body)
}
