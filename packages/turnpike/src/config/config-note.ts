import type { JsonPath } from '@turnpike/core/lib'
import type { Severity } from './finding.ts'

/** A finding before its line and column are looked up in the file. */
export interface ConfigNote {
  readonly severity: Severity
  readonly path: JsonPath
  readonly reason: string
  readonly fix?: string
  /** The key has no effect in this build. */
  readonly ineffective?: true
}

export const error = (path: JsonPath, reason: string, fix: string): ConfigNote => ({
  severity: 'error',
  path,
  reason,
  fix,
})

export const warning = (path: JsonPath, reason: string, fix: string): ConfigNote => ({
  severity: 'warning',
  path,
  reason,
  fix,
})
