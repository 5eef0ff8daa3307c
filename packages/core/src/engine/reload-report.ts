/** The result of a reload, for the log, for /svc/reload/report and for the caller. */
import type { Millis } from '../ports/clock.ts'
import type { StoredField } from '../session/policies/parse-policies.ts'

export interface ReloadReport {
  readonly startedAt: Millis
  readonly durationMs: number
  /** Number of APIs served after the reload. */
  readonly loaded: number
  /** Sources of the definitions that were compiled. */
  readonly changed: readonly string[]
  /** Sources of the definitions that are no longer served. */
  readonly removed: readonly string[]
  readonly failed: readonly FailedDefinition[]
  /** Listen paths that were changed because they collided. */
  readonly renamed: readonly RenamedListenPath[]
  readonly policies: {
    readonly count: number
    /** The policy files differ from those of the reload before. */
    readonly changed: boolean
    /** All problems as one text. */
    readonly problem?: string
    /** Policies, or files of policies, that cannot be read. */
    readonly problems?: readonly FailedDefinition[]
    /** Fields of policies that have no effect. */
    readonly warnings?: readonly string[]
    /** Fields of policies that no gateway acts on. */
    readonly stored?: readonly StoredField[]
  }
  /** Fields of served definitions that the gateway does not support or does not know, and scripts that cannot run. */
  readonly unsupported: readonly UnsupportedFeature[]
  /** Why the reload was dropped and the previous snapshot stays. */
  readonly dropped?: string
}

export interface UnsupportedFeature {
  readonly apiId: string
  readonly source: string
  readonly field: string
  /** The API, or the path of the field, rejects requests; otherwise the field has no effect. */
  readonly closes: boolean
  readonly reason: string
  /** What to do instead, if there is something. */
  readonly instead?: string
  /** No gateway acts on the field, so nothing is missing. */
  readonly isHarmless?: boolean
}

export interface FailedDefinition {
  readonly source: string
  readonly reason: string
  readonly line?: number
  readonly column?: number
  /** The last good version stays in service. */
  readonly keptOld: boolean
}

export interface RenamedListenPath {
  readonly apiId: string
  readonly from: string
  readonly to: string
}
