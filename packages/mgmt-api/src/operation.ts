/**
 * An operation of the management API: one method on one path, how it is documented, and its handler. The routes table
 * and the OpenAPI document are both made of these, so neither can tell what the other does not.
 */
import type { JsonSchema, Maybe } from '@turnpike/core'
import type { Reply } from './http/reply.ts'
import type { Management } from './management.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Operation {
  /** Unique; names the operation in the OpenAPI document. */
  readonly id: string
  readonly method: Method
  /** With `svc` for the vendor word and `{name}` for one segment: `/svc/keys/{name}`. */
  readonly path: string
  /** Groups operations in the documentation. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: readonly QueryNote[]
  readonly body?: BodyNote
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerNote>>
  /** Answers without the management key. Default: false. */
  readonly open?: boolean
  /** Whether the operation is there at all. Default: it is. */
  enabled?(management: Management): boolean
  handle(call: Call): Maybe<Reply>
}

/** A request on its way to a handler; the management key has been checked. */
export interface Call {
  readonly management: Management
  readonly request: Request
  /** Segments named in the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Everything that is answered here; for the documentation. */
  readonly routes: readonly Route[]
}

/** An operation with the vendor word in its path. */
export interface Route {
  readonly method: Method
  /** `/svc/keys/{name}` */
  readonly path: string
  readonly operation: Operation
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

export interface AnswerNote {
  readonly description: string
  /** Default: the status message. */
  readonly schema?: JsonSchema
  /** Default: `application/json`. */
  readonly type?: string
}

/** The parameter's value; empty when it is not there. */
export function queryOf(call: Call, name: string): string {
  return call.query.get(name) ?? ''
}

/** The path segment's value; empty when the path has no such segment. */
export function paramOf(call: Call, name: string): string {
  return call.params[name] ?? ''
}
