/** The neutral form of a report. Every tool fills it in, and every writer of this package reads it. */

export type Level = 'error' | 'warning' | 'note'

export interface ReportFinding {
  /** Id of the rule in `Report.rules`. */
  readonly rule: string
  readonly level: Level
  /** One sentence without a full stop: what is wrong. */
  readonly message: string
  /** A suggestion how to fix the problem. */
  readonly fix?: string | undefined
  /** Absolute, or relative to the folder in which the command runs. Absent: the finding belongs to no file. */
  readonly file?: string | undefined
  /** Line and column count from 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** Something that was examined, such as a file or a guarantee. */
export interface ReportItem {
  /** Items of a group stand together: `files`, `guarantees`. */
  readonly group: string
  readonly name: string
  readonly findings: readonly ReportFinding[]
  /** The reason why the item was not examined. */
  readonly skipped?: string | undefined
  /** More about the item, for a person. */
  readonly details?: string | undefined
}

export interface ReportRule {
  /** In lower case with hyphens. */
  readonly id: string
  readonly summary: string
  /** What to do about findings of the rule. */
  readonly help?: string | undefined
  /** A page about the rule. */
  readonly url?: string | undefined
}

export interface Report {
  readonly tool: { readonly name: string; readonly version: string; readonly url: string }
  readonly rules: readonly ReportRule[]
  readonly items: readonly ReportItem[]
  /** The mildest level that makes the command fail. */
  readonly failsOn: 'error' | 'warning'
}

/** The folders that file names in a report refer to. */
export interface Folders {
  /** The folder in which the command runs. */
  readonly cwd: string
  /** The folder that written names are relative to, such as the root of the repository. */
  readonly root: string
}

/** Returns true if a finding makes the command fail. */
export function isFailure({ level }: ReportFinding, { failsOn }: Report): boolean {
  return level === 'error' || (level === 'warning' && failsOn === 'warning')
}
