import type { ApiDefinition } from '@turnpike/core'

/** A parsed definition, with its text to look up positions. */
export interface CheckedApi {
  readonly file: string
  readonly text: string
  readonly definition: ApiDefinition
}
