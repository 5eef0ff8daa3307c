/** The options with which a command writes reports, the same for all commands. */
import { writeFileSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { Report } from './report.ts'
import { toAnnotations } from './to-annotations.ts'
import { toJunit } from './to-junit.ts'
import { toSarif } from './to-sarif.ts'

/** Flags and descriptions, for the parser of the command line. */
export const reportOptions = [
  { flags: '--sarif <file>', description: 'write the findings as SARIF 2.1.0 as well' },
  { flags: '--junit <file>', description: 'write the report as JUnit XML as well' },
  { flags: '--github', description: 'print annotations for GitHub Actions; default there' },
] as const

/** The values of `reportOptions`. */
export interface ReportOptions {
  readonly sarif?: string
  readonly junit?: string
  readonly github?: boolean
}

export interface ReportOutput {
  /** Relative file names start from here. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Prints an annotation. */
  print(line: string): void
}

/**
 * Writes the files that the options name, and prints annotations with `--github` or if GITHUB_ACTIONS is "true". Names
 * of files in reports are relative to GITHUB_WORKSPACE, or else to the current folder. Returns the reason if a file
 * cannot be written.
 */
export function writeReports(report: Report, options: ReportOptions, output: ReportOutput): string | undefined {
  const { cwd, environment, print } = output
  const folders = { cwd, root: rootOf(cwd, environment['GITHUB_WORKSPACE']) }
  const files = [
    ['SARIF report', options.sarif, () => `${JSON.stringify(toSarif(report, folders), null, 2)}\n`],
    ['JUnit report', options.junit, () => toJunit(report, folders)],
  ] as const
  for (const [what, file, text] of files) {
    if (file === undefined) continue
    try {
      writeFileSync(resolve(cwd, file), text())
    } catch (cause) {
      return `the ${what} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`
    }
  }
  if (options.github ?? environment['GITHUB_ACTIONS'] === 'true') {
    for (const line of toAnnotations(report, folders)) print(line)
  }
  return undefined
}

/** The workspace of the workflow, if the command runs inside it. */
function rootOf(cwd: string, workspace: string | undefined): string {
  if (workspace === undefined || workspace === '') return cwd
  const name = relative(workspace, cwd)
  return name.startsWith('..') || isAbsolute(name) ? cwd : workspace
}
