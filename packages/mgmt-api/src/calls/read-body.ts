/**
 * Reads bodies of management calls with limits on size and nesting, without prototype keys, into their shape. A caller with
 * the management key can still send hostile input, which must be cheap to reject.
 */
import {
  extensionName,
  extensionOf,
  foreignDocumentOf,
  otherExtensionOf,
  type Unsupported,
  unknownFields,
} from '@turnpike/core/definition'
import { isJson, readShape, type Shape } from '@turnpike/core/lib'
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
  if (Array.isArray(value) && value.some(isJson)) return failure(400, 'the body is a list; send each entry on its own')
  const foreign = foreignDocumentOf(value)
  return foreign && failure(400, `the body ${foreign.reason}; ${foreign.send}`)
}

/** The extension of another gateway would be stored without an effect. */
export function rejectOtherWord(document: unknown, vendor: string): Reply | undefined {
  if (!isJson(document) || extensionOf(document, vendor) !== undefined) return undefined
  const other = otherExtensionOf(document, vendor)
  if (other === undefined) return undefined
  const found = `the document has the extension ${extensionName(other)}, but the vendor word of this gateway is "${vendor}"`
  return failure(400, `${found}: rename the extension to ${extensionName(vendor)}, or set vendor to "${other}"`)
}

/** The response to a body over the limit. */
export function tooLarge({ management }: Pick<Call, 'management'>): Reply {
  return failure(413, bodyLimitMessage(management.options.maxBodyBytes))
}

/** `limit` is in bytes. */
export function bodyLimitMessage(limit: number): string {
  return `the body is longer than ${limit} bytes, the limit of max_management_body_size`
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
