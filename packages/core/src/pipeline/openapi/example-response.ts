/** Builds responses from the examples of an OpenAPI document (docs/reference/openapi-mocks.md#openapi-mocks). */

import { deref } from '../../definition/openapi/operations.ts'
import { isJson, type Json, memberOf, textOf } from '../../lib/json.ts'

export interface ExampleRequest {
  readonly code: number
  readonly contentType: string
  /** Media types to try next if `contentType` has no example. */
  readonly otherTypes?: readonly string[]
  /** Empty: the first example. */
  readonly exampleName: string
}

export interface ExampleResponse {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Maximum nesting of a schema from which an example is generated. */
const maxDepth = 20

/** Returns the example response, or an error text if the document has no such example. */
export function exampleResponseOf(document: Json, operation: Json, wish: ExampleRequest): ExampleResponse | string {
  const responses = operation['responses']
  const response = deref(document, memberOf(responses, String(wish.code)) ?? memberOf(responses, 'default'))
  if (response === undefined) return `there is no example response for the code: ${wish.code}`
  const headers: Record<string, string> = Object.create(null)
  for (const [name, header] of Object.entries(isJson(response['headers']) ? response['headers'] : {})) {
    const example = exampleOfMedia(document, deref(document, header) ?? {}, '')
    if (example !== undefined) headers[name] = typeof example === 'string' ? example : JSON.stringify(example)
  }
  const content = isJson(response['content']) ? response['content'] : {}
  if (Object.keys(content).length === 0) return { code: wish.code, headers, body: '' }
  for (const type of [wish.contentType, ...(wish.otherTypes ?? [])]) {
    const media = deref(document, memberOf(content, type))
    const example = media === undefined ? undefined : exampleOfMedia(document, media, wish.exampleName)
    if (example === undefined) continue
    headers['content-type'] = type
    const isText = typeof example === 'string' && !type.includes('json')
    return { code: wish.code, headers, body: isText ? example : JSON.stringify(example) }
  }
  return `there is no example response for the content type: ${wish.contentType}`
}

/** Returns true if an operation has an example response. */
export function hasExample(document: Json, operation: Json): boolean {
  const responses = isJson(operation['responses']) ? operation['responses'] : {}
  return Object.values(responses).some((given) => {
    const content = deref(document, given)?.['content']
    return Object.values(isJson(content) ? content : {}).some(
      (media) => exampleOfMedia(document, deref(document, media) ?? {}, '') !== undefined,
    )
  })
}

function exampleOfMedia(document: Json, media: Json, name: string): unknown {
  const examples = isJson(media['examples']) ? media['examples'] : {}
  const named = deref(document, name === '' ? Object.values(examples)[0] : memberOf(examples, name))
  if (name === '' && media['example'] !== undefined) return media['example']
  return named?.['value'] ?? (media['schema'] === undefined ? undefined : exampleOf(document, media['schema'], 0))
}

function exampleOf(document: Json, given: unknown, depth: number): unknown {
  const schema = deref(document, given)
  if (schema === undefined || depth > maxDepth) return null
  for (const name of ['example', 'default', 'const']) if (schema[name] !== undefined) return schema[name]
  const { enum: values, items, properties, type } = schema
  if (Array.isArray(values)) return values[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'array':
      return [exampleOf(document, items, depth + 1)]
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return true
    default: {
      const members = Object.entries(isJson(properties) ? properties : {})
      return Object.fromEntries(members.map(([name, one]) => [name, exampleOf(document, one, depth + 1)]))
    }
  }
}

/** Reads the defaults from `fromOASExamples` of the extension. */
export function exampleRequestOf(part: unknown): ExampleRequest {
  const code = memberOf(part, 'code')
  return {
    code: typeof code === 'number' && code > 0 ? code : 200,
    contentType: textOf(memberOf(part, 'contentType')) || 'application/json',
    exampleName: textOf(memberOf(part, 'exampleName')),
  }
}
