/** What a reload did: for the log, for /svc/reload/report and for whoever called it. */
import type { Millis } from '../ports/clock.ts'

export interface ReloadReport {
  readonly startedAt: Millis
  readonly durationMs: number
  /** APIs served after it. */
  readonly loaded: number
  /** Definitions compiled anew or for the first time, by source. */
  readonly changed: readonly string[]
  /** APIs that are served no more, by source. */
  readonly removed: readonly string[]
  readonly failed: readonly FailedDefinition[]
  /** Listen paths that were moved out of each other's way. */
  readonly renamed: readonly RenamedListenPath[]
  readonly policies: { readonly count: number; readonly problem?: string }
  /** Why nothing was taken over; the running table goes on. */
  readonly dropped?: string
}

export interface FailedDefinition {
  readonly source: string
  readonly reason: string
  readonly line?: number
  readonly column?: number
  /** The last good version goes on serving. */
  readonly keptOld: boolean
}

export interface RenamedListenPath {
  readonly apiId: string
  readonly from: string
  readonly to: string
}
