/** An OpenAPI document as a list of operations: what calls are generated from, and what answers are measured by. */

/** The part of JSON Schema that documents of management APIs use. */
export interface AnySchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly additionalProperties?: AnySchema | boolean
  readonly items?: AnySchema
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
}

type Content = Readonly<Record<string, { readonly schema?: AnySchema }>>

export interface AnyDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, AnySchema>> }
}

interface RawOperation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface DocumentedOperation {
  readonly id: string
  /** Upper case. */
  readonly method: string
  /** With `{name}` for a segment. */
  readonly path: string
  readonly query: readonly string[]
  /** Content type and schema of the body; `undefined`: it takes none. */
  readonly body: { readonly type: string; readonly schema: AnySchema } | undefined
  /** By status; schemas of JSON answers, `undefined` for other answers. */
  readonly answers: ReadonlyMap<number, AnySchema | undefined>
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])

export function documentedOperations(document: AnyDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, raw]) => toOperation(path, method, raw as RawOperation)),
  )
}

function toOperation(path: string, method: string, raw: RawOperation): DocumentedOperation {
  const [body] = Object.entries(raw.requestBody?.content ?? {})
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    query: (raw.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
    body: body === undefined ? undefined : { type: body[0], schema: body[1].schema ?? {} },
    answers: new Map(
      Object.entries(raw.responses).map(([status, { content }]) => [
        Number(status),
        content?.['application/json']?.schema,
      ]),
    ),
  }
}

/** Methods that the document has for a path, segments filled in; sorted. */
export function documentedMethods(operations: readonly DocumentedOperation[], path: string): string[] {
  const found = operations.filter((one) => patternOf(one.path).test(path)).map(({ method }) => method)
  return [...new Set(found)].toSorted()
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source}$`)
}
