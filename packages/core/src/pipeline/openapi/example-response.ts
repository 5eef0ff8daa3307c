/** Builds responses from the examples of an OpenAPI document (docs/reference/openapi-mocks.md#openapi-mocks). */

import { deref } from '../../definition/openapi/operations.ts'
import { isJson, type Json, memberOf, objectOf, textOf } from '../../lib/json.ts'
import { headerSafe } from '../../lib/text/field-values.ts'

export interface ExampleRequest {
  readonly code: number
  readonly contentType: string
  /** Media types to try next if `contentType` has no example. */
  readonly otherTypes?: readonly string[]
  /** Whether the only type of a response is fine too, because nobody asks for `contentType`. Default: false. */
  readonly acceptsOnlyType?: boolean
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
/** Maximum number of values of a generated example: a schema that names itself several times doubles it at each level. */
const maxValues = 10_000

/** Returns the example response, or an error text if the document has no such example. */
export function exampleResponseOf(document: Json, operation: Json, request: ExampleRequest): ExampleResponse | string {
  const { code, exampleName } = request
  // `default` matches no code.
  const response = deref(document, memberOf(operation['responses'], String(code)))
  if (response === undefined) return `there is no example response for the code: ${code}`
  const content = objectOf(response['content'])
  const types = Object.keys(content)
  if (types.length === 0) return { code, headers: headersOf(document, response), body: '' }
  const wanted = [request.contentType, ...(request.otherTypes ?? [])]
  const only = request.acceptsOnlyType === true && types.length === 1 ? types[0] : undefined
  const type = wanted.find((one) => Object.hasOwn(content, one)) ?? only
  if (type === undefined) return `there is no example response for the content type: ${request.contentType}`
  const example = exampleOfMedia(document, deref(document, content[type]) ?? {}, exampleName)
  if (example === undefined) return `there is no example response for the example name: ${exampleName}`
  const headers = headersOf(document, response)
  headers['content-type'] = type
  return { code, headers, body: JSON.stringify(example) }
}

/** Headers that the response names, with an example value each. */
function headersOf(document: Json, response: Json): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (const [name, given] of Object.entries(objectOf(response['headers']))) {
    const header = deref(document, given) ?? {}
    if (header['example'] === undefined && header['schema'] === undefined) continue
    const value = header['example'] ?? exampleOf(document, header['schema'], 0)
    headers[name.toLowerCase()] = headerSafe(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return headers
}

/** Returns true if an operation has an example response. */
export function hasExample(document: Json, operation: Json): boolean {
  return Object.values(objectOf(operation['responses'])).some((given) =>
    Object.values(objectOf(deref(document, given)?.['content'])).some((one) => {
      const media = deref(document, one) ?? {}
      return ['example', 'examples', 'schema'].some((name) => media[name] !== undefined)
    }),
  )
}

/** `undefined`: no example has this name. A single `example` has no name. */
function exampleOfMedia(document: Json, media: Json, name: string): unknown {
  if (media['example'] !== undefined) return media['example']
  const examples = objectOf(media['examples'])
  const names = Object.keys(examples).sort()
  if (names.length === 0) return exampleOf(document, media['schema'], 0)
  const chosen = name === '' ? (names[0] as string) : name
  if (!Object.hasOwn(examples, chosen)) return undefined
  return deref(document, examples[chosen])?.['value'] ?? null
}

/** A value made from a schema; `null` if the schema says too little or a limit is reached. Its `default` is not used. */
function exampleOf(document: Json, given: unknown, depth: number, made = { values: 0 }): unknown {
  const schema = deref(document, given)
  if (schema === undefined || depth > maxDepth || made.values++ >= maxValues) return null
  const { example, enum: values, items, properties, type } = schema
  if (example !== undefined) return example
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'object' || (kind === undefined && isJson(properties))) {
    const members = Object.entries(objectOf(properties))
    return Object.fromEntries(members.map(([name, one]) => [name, exampleOf(document, one, depth + 1, made)]))
  }
  if (kind === 'array') return [exampleOf(document, items, depth + 1, made)]
  if (Array.isArray(values) && values.length > 0) return values[0]
  return simpleExamples[textOf(kind)] ?? null
}

const simpleExamples: Readonly<Record<string, unknown>> = { string: 'string', integer: 0, number: 0, boolean: true }

/** Reads the defaults from `fromOASExamples` of the extension. */
export function exampleRequestOf(part: unknown): ExampleRequest {
  const code = memberOf(part, 'code')
  return {
    code: typeof code === 'number' && code > 0 ? code : 200,
    contentType: textOf(memberOf(part, 'contentType')) || 'application/json',
    exampleName: textOf(memberOf(part, 'exampleName')),
  }
}
