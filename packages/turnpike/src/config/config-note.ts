import type { JsonPath } from '@turnpike/core'
import type { Severity } from './finding.ts'

/** A finding whose place in the file is still to be looked up. */
export interface ConfigNote {
  readonly severity: Severity
  readonly path: JsonPath
  readonly reason: string
  readonly wayOut?: string
}
