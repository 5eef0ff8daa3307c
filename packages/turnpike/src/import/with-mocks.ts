/** Responses of mocks: the example of the first successful response of an operation, or its status without a body. */
import { deref, operationsOf } from '@turnpike/core/definition'
import { type Json, memberOf, objectOf } from '@turnpike/core/lib'
import { hasExample } from '@turnpike/core/pipeline'

/**
 * Returns the extension with a mock for every operation. Operations without an example get one as well, because rules
 * match the beginning of a path: without a rule of its own, `/pets/{id}` would respond with the example of `/pets`.
 */
export function withMocks(document: Json, extension: Json): Json {
  const middleware = objectOf(extension['middleware'])
  const operations = { ...objectOf(middleware['operations']) }
  for (const { id, operation } of operationsOf(document)) {
    const example = exampleOf(document, operation)
    const mockResponse =
      example === undefined
        ? { enabled: true, code: successOf(operation), body: '', headers: [] }
        : { enabled: true, fromOASExamples: { enabled: true, ...example } }
    operations[id] = { ...objectOf(operations[id]), mockResponse }
  }
  return { ...extension, middleware: { ...middleware, operations } }
}

/** Returns the number of operations that have an example to respond with. */
export function operationsWithExample(document: Json): number {
  return operationsOf(document).filter(({ operation }) => exampleOf(document, operation) !== undefined).length
}

function exampleOf(document: Json, operation: Json): { code: number; contentType: string } | undefined {
  for (const [status, response] of Object.entries(objectOf(operation['responses'])).sort()) {
    const code = Number(status)
    if (!isSuccess(code) || !hasExample(document, { responses: { [status]: response } })) continue
    const types = Object.keys(objectOf(memberOf(deref(document, response), 'content')))
    return { code, contentType: types.find((type) => type === 'application/json') ?? types[0] ?? 'application/json' }
  }
  return undefined
}

/** Returns the first successful status that the operation names; 200 if it names none. */
function successOf(operation: Json): number {
  return Object.keys(objectOf(operation['responses'])).map(Number).sort().find(isSuccess) ?? 200
}

function isSuccess(code: number): boolean {
  return code >= 200 && code < 300
}
