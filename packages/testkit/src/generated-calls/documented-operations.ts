/** Lists the operations of an OpenAPI document. Calls are generated from them, and responses are checked against them. */

/** The subset of JSON Schema that the OpenAPI documents of this repository use. */
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
  /** Path template, with `{name}` for a variable segment. */
  readonly path: string
  readonly query: readonly string[]
  /** Content type and schema of the request body; `undefined` if the operation has none. */
  readonly body: { readonly type: string; readonly schema: AnySchema } | undefined
  /** Schemas of JSON responses by status; `undefined` for other content types. */
  readonly responses: ReadonlyMap<number, AnySchema | undefined>
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
    responses: new Map(
      Object.entries(raw.responses).map(([status, { content }]) => [
        Number(status),
        content?.['application/json']?.schema,
      ]),
    ),
  }
}

/** Returns the sorted methods that the document defines for a concrete path. */
export function documentedMethods(operations: readonly DocumentedOperation[], path: string): string[] {
  const found = operations.filter((one) => patternOf(one.path).test(path)).map(({ method }) => method)
  return [...new Set(found)].toSorted()
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source}$`)
}
