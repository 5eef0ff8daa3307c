/** The options with which `turnpike judge URL` writes reports, and what they do. */
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type ReportOptions, reportOptions, writeReports } from '@turnpike/reports'
import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { JudgeInputError } from '../judge-input.ts'
import { judgePage } from './html/judge-page.ts'
import { type JudgedLimit, toCiReport } from './judge-ci-report.ts'

export type { JudgedLimit } from './judge-ci-report.ts'

export interface JudgeReportOptions extends ReportOptions {
  readonly html?: string
  readonly json?: boolean
}

export function addReportOptions(program: Command): Command {
  for (const { flags, description } of reportOptions) program.option(flags, description)
  return program.option('--html <file>', 'write the verdict with a chart of each finding as HTML as well')
}

/** Throws a `JudgeInputError` if a report cannot be written, before a run that takes long. */
export function checkReportFiles({ sarif, junit, html }: JudgeReportOptions, cwd: string): void {
  for (const [option, name] of [
    ['--sarif', sarif],
    ['--junit', junit],
    ['--html', html],
  ] as const) {
    if (name === undefined) continue
    const file = resolve(cwd, name)
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new JudgeInputError(`${option} ${name} is a folder`)
    try {
      accessSync(dirname(file), constants.W_OK)
    } catch (cause) {
      throw new JudgeInputError(`${option} ${name} cannot be written: ${(cause as Error).message}`)
    }
  }
}

/** Writes the reports. Throws a `JudgeInputError` if one cannot be written. */
export function writeJudgeReports(judged: readonly JudgedLimit[], options: JudgeReportOptions, io: Io): void {
  if (options.html !== undefined) {
    try {
      writeFileSync(resolve(io.cwd, options.html), judgePage(judged))
    } catch (cause) {
      throw new JudgeInputError(`--html ${options.html} cannot be written: ${(cause as Error).message}`)
    }
  }
  const problem = writeReports(toCiReport(judged), options, {
    cwd: io.cwd,
    environment: io.environment,
    // Standard output has nothing but JSON.
    print: options.json === true ? io.err : io.out,
  })
  if (problem !== undefined) throw new JudgeInputError(problem)
}
