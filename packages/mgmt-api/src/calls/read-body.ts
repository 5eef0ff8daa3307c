/**
 * Reads bodies of management calls with limits on size and nesting, without prototype keys, into their shape. A caller with
 * the management key can still send hostile input, which must be cheap to reject.
 */
import { foreignDocumentOf, type Unsupported, unknownFields } from '@turnpike/core/definition'
import { readShape, type Shape } from '@turnpike/core/lib'
import { parseJson } from '../http/parse-json.ts'
import { failure, type Reply } from '../http/reply.ts'
import type { Call } from '../operation.ts'

/** `unknown`: fields of the body that the shape does not know. */
export type Body<T> =
  | { readonly value: T; readonly unknown: readonly Unsupported[]; readonly rejection?: undefined }
  | { readonly rejection: Reply }

/**
 * Parses the body with the shape. Invalid JSON and wrong types give the response `malformed`. `rejectValue` returns the
 * response to a value that is something else.
 */
export async function readBody<T>(
  call: Call,
  shape: Shape<T>,
  malformed: Reply,
  rejectValue: (value: unknown) => Reply | undefined = () => undefined,
): Promise<Body<T>> {
  const text = await readText(call.request, call.management.options.maxBodyBytes)
  if (text === undefined) return { rejection: tooLarge(call) }
  const parsed = parseJson(text)
  if (parsed === undefined) return { rejection: malformed }
  const rejection = rejectValue(parsed.value)
  if (rejection !== undefined) return { rejection }
  const read = readShape(shape, parsed.value)
  return read.readable ? { value: read.value, unknown: unknownFields(read.problems) } : { rejection: malformed }
}

/** The response to an export or another file in place of a definition; `undefined` for other values. */
export function rejectForeign(value: unknown): Reply | undefined {
  const foreign = foreignDocumentOf(value)
  return foreign && failure(400, `the body ${foreign.reason}; ${foreign.send}`)
}

/** The response to a body over the limit. */
export function tooLarge({ management }: Pick<Call, 'management'>): Reply {
  const limit = management.options.maxBodyBytes
  return failure(413, `the body is longer than ${limit} bytes, the limit of max_management_body_size`)
}

/** The body as text; `undefined` if it exceeds the limit (the rest is not read). */
export async function readText(request: Request, limit: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > limit) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
