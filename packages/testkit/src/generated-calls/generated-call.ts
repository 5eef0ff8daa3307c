/** Generates valid and invalid calls of documented operations: bodies, names, queries and content types. */
import fc from 'fast-check'
import type { AnyDocument, DocumentedOperation } from './documented-operations.ts'
import { anyJson, nearlyValidValues, trickyText, validValues } from './schema-values.ts'

export interface GeneratedCall {
  readonly operation: DocumentedOperation
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface CallOptions {
  /** Ids of existing objects: APIs, policies, keys. */
  readonly names: readonly string[]
}

/** Generates calls of any of the operations. */
export function generatedCall(
  operations: readonly DocumentedOperation[],
  document: AnyDocument,
  { names }: CallOptions,
): fc.Arbitrary<GeneratedCall> {
  // Each arbitrary is made once, because making it walks through a large schema.
  const calls = operations.map((operation) => callOf(operation, document, names))
  return fc.nat({ max: calls.length - 1 }).chain((i) => calls[i] as fc.Arbitrary<GeneratedCall>)
}

/** Generates calls of one operation. */
export function callOf(
  operation: DocumentedOperation,
  document: AnyDocument,
  names: readonly string[],
): fc.Arbitrary<GeneratedCall> {
  const name = fc
    .oneof({ weight: 2, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: trickyText })
    .filter((text) => isSegment(text))
  const segments = [...operation.path.matchAll(/\{(\w+)\}/g)].map(() => name)
  const value = fc.oneof(name, trickyText.map(wellFormed), fc.constantFrom('true', '1', '0', 'yes', 'exact'))
  const query = fc.dictionary(fc.constantFrom('page', ...operation.query), value, { maxKeys: 3 })
  return fc
    .tuple(fc.tuple(...segments), query, bodyOf(operation, document))
    .map(([filled, parameters, { body, type }]) => {
      const rest = [...filled]
      const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? 'x'))
      const search = String(new URLSearchParams(parameters))
      return {
        operation,
        method: operation.method,
        target: search === '' ? path : `${path}?${search}`,
        headers: type === undefined ? {} : { 'content-type': type },
        body,
      }
    })
}

/** Returns true if the text can be one path segment. Empty texts, lone surrogates and dot segments cannot. */
function isSegment(text: string): boolean {
  return text !== '' && wellFormed(text) === text && !/^\.{1,2}$/.test(text)
}

/** Replaces lone surrogates, which UTF-8 cannot encode. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

interface Body {
  readonly body: string | undefined
  readonly type: string | undefined
}

function bodyOf({ method, body }: DocumentedOperation, document: AnyDocument): fc.Arbitrary<Body> {
  if (method === 'GET') return fc.constant({ body: undefined, type: undefined })
  if (body === undefined) return fc.record({ body: fc.option(anyText(), { nil: undefined }), type: anyType('') })
  const written = (values: fc.Arbitrary<unknown>) => values.map((value) => writeAs(body.type, value))
  return fc.record({
    body: fc.oneof(
      { weight: 3, arbitrary: written(validValues(body.schema, document)) },
      { weight: 3, arbitrary: written(nearlyValidValues(body.schema, document)) },
      { weight: 1, arbitrary: written(anyJson) },
      { weight: 1, arbitrary: anyText() },
    ),
    type: anyType(body.type),
  })
}

function writeAs(type: string, value: unknown): string {
  if (type.includes('json') || typeof value !== 'object' || value === null) {
    return typeof value === 'string' && !type.includes('json') ? wellFormed(value) : JSON.stringify(value)
  }
  const entries = Object.entries(value).map(([name, entry]) => [name, String(entry)])
  return String(new URLSearchParams(entries as [string, string][]))
}

/** Generates request bodies that are not valid documents: truncated, deeply nested, with huge numbers, and other texts. */
function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    trickyText.map(wellFormed),
    fc.constantFrom(
      ...['{', '[]', '{}', 'null', '"', '{"a":1e999}', '{"rate":123456789012345678901234567890}', '\ufeff{}'],
      ...['{"a":1,"a":2}', '{"__proto__":{"a":1}}', `${'['.repeat(3000)}${']'.repeat(3000)}`, '{"a":'.repeat(500)],
      ...['openapi: 3.0.3', '<xml/>', 'a=1&b=%zz', '%'],
    ),
  )
}

function anyType(right: string): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(right === '' ? undefined : right) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'),
    },
    { weight: 1, arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-16', undefined) },
  )
}
