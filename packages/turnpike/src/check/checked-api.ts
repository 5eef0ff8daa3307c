import type { ApiDefinition } from '@turnpike/core'

/** A definition that could be parsed, with its text for places. */
export interface CheckedApi {
  readonly file: string
  readonly text: string
  readonly definition: ApiDefinition
}
