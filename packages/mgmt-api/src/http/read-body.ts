/**
 * Bodies of management calls: read up to a limit, parsed up to a depth, without prototype keys, and then read into
 * their shape. Whoever holds the management key may still send nonsense; it must not cost more than its refusal.
 */
import { readShape, type Shape } from '@turnpike/core'
import type { Call } from '../operation.ts'
import { parseJson } from './parse-json.ts'
import { failure, type Reply } from './reply.ts'

export type Body<T> = { readonly value: T; readonly refusal?: undefined } | { readonly refusal: Reply }

/** The body as the shape reads it; `malformed` answers what is no JSON or has a wrong type somewhere. */
export async function readBody<T>(call: Call, shape: Shape<T>, malformed: Reply): Promise<Body<T>> {
  const text = await readText(call.request, call.management.options.maxBodyBytes)
  if (text === undefined) return { refusal: failure(413, 'Request Entity Too Large') }
  const parsed = parseJson(text)
  if (parsed === undefined) return { refusal: malformed }
  const read = readShape(shape, parsed.value)
  return read.readable ? { value: read.value } : { refusal: malformed }
}

/** The body as text; `undefined`: longer than the limit, the rest is left unread. */
export async function readText(request: Request, limit: number): Promise<string | undefined> {
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > limit) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
