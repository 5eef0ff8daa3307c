import type { ApiDefinition } from '@turnpike/core/definition'
import type { ReadFile } from './finding-at.ts'

/** A parsed definition, with its text to look up positions. */
export interface CheckedApi extends ReadFile {
  readonly definition: ApiDefinition
}
