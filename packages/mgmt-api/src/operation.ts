/**
 * An operation of the management API: a method on a path, its documentation and its handler. The routes and the OpenAPI
 * document are both built from operations, so they always agree.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { JsonSchema, Maybe } from '@turnpike/core/lib'
import { doneSchema, type Reply } from './http/reply.ts'
import type { Management } from './management.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Operation {
  /** Unique id, used in the OpenAPI document. */
  readonly id: string
  readonly method: Method
  /** If true, every method calls the operation; `method` is the one of the documentation. */
  readonly anyMethod?: true
  /** With `svc` for the vendor word and `{name}` for one segment: `/svc/keys/{name}`. */
  readonly path: string
  /** Group in the documentation. Default: that of the table in `routes.ts`. */
  readonly tag?: string
  readonly summary: string
  readonly description?: string
  readonly query?: readonly QueryNote[]
  readonly body?: BodyNote
  /** Responses by status. A text describes a status message. */
  readonly responses: Readonly<Record<number, ResponseNote | string>>
  /** True if the operation needs no management key. Default: false. */
  readonly open?: boolean
  /** Returns whether the operation exists. Default: always. */
  enabled?(management: Management): boolean
  /** Returns the response to calls that the configuration forbids. Runs before `handle`. */
  reject?(call: Call): Reply | undefined
  handle(call: Call): Maybe<Reply>
}

/** An operation of the table in `routes.ts`. */
export interface TaggedOperation extends Operation {
  readonly tag: string
}

/** A request for a handler, after the check of the management key. */
export interface Call {
  readonly management: Management
  readonly request: Request
  /** Named path segments, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** All operations; for the documentation. */
  readonly routes: readonly Route[]
}

/** An operation with the vendor word in its path. */
export interface Route {
  readonly method: Method
  /** `/svc/keys/{name}` */
  readonly path: string
  readonly operation: TaggedOperation
}

export interface QueryNote {
  readonly name: string
  readonly description: string
}

export interface BodyNote {
  readonly schema: JsonSchema
  readonly description?: string
  /** Default: `application/json`. */
  readonly type?: string
}

export interface ResponseNote {
  readonly description: string
  /** Default: the status message. */
  readonly schema?: JsonSchema
  /** Default: `application/json`. */
  readonly type?: string
}

/** Of calls that return `done`. */
export const doneResponse: ResponseNote = { description: 'Done', schema: doneSchema }

/** The parameter's value; empty if it is missing. */
export function queryOf(call: Call, name: string): string {
  return call.query.get(name) ?? ''
}

/** The path segment's value; empty if the path has no such segment. */
export function paramOf(call: Call, name: string): string {
  return call.params[name] ?? ''
}

/** The loaded definition; if several have the id, the first one. */
export function findApi(call: Call, id: string): ApiDefinition | undefined {
  return call.management.definitions().find((api) => api.id === id)
}
