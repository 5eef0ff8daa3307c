/** `turnpike check`: reports problems with a gateway's files, without starting it. */

import { dirname, relative, resolve } from 'node:path'
import { type ReportOptions, writeReports } from '@turnpike/reports'
import { type CheckedFolder, type ContainerParts, checkFolder } from '../check/check-folder.ts'
import { type CheckReport, checkGateway } from '../check/check-gateway.ts'
import { withoutAllowed } from '../config/allowed-findings.ts'
import { usualConfigFile } from '../config/find-config-file.ts'
import { type Finding, formatFinding, isQuiet } from '../config/finding.ts'
import { loadConfig } from '../config/load-config.ts'
import { count } from '../start/reload-lines.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { toCheckReport } from './check-report.ts'
import { findMissingConfig } from './config-problem.ts'
import { allowProblem, explainFinding } from './explain-finding.ts'

export interface CheckOptions extends ReportOptions {
  readonly conf?: string
  readonly json?: boolean
  readonly lenient?: boolean
  /** Ids of findings that are left out. */
  readonly allow?: readonly string[]
  /** Also lists fields that say nothing. */
  readonly all?: boolean
  /** Id of the finding to explain, in place of a check. */
  readonly explain?: string
}

export async function checkCommand(folder: string | undefined, options: CheckOptions, io: Io): Promise<ExitCode> {
  if (options.explain !== undefined) return explainFinding(options.explain, options.json === true, io)
  const wrong = (options.allow ?? []).map(allowProblem).find((problem) => problem !== undefined)
  if (wrong !== undefined) {
    io.err(`error: --allow: ${wrong}`)
    return exitCodes.wrongUse
  }
  if (folder !== undefined && options.conf !== undefined) {
    io.err('name a folder or --conf, not both')
    return exitCodes.wrongUse
  }
  const checked = await checkNamed(folder, options, io)
  if (typeof checked === 'number') return checked
  const { loaded, container } = checked
  const { report, silenced, quiet } = listed(checked.report, options)
  const findings = report.findings.map((finding) => ({ ...finding, source: shortSource(finding.source, io.cwd) }))
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  if (options.json === true) {
    const counts = { apis: report.apis, policies: report.policies, errors, warnings, silenced, quiet }
    io.out(JSON.stringify({ ...counts, container, findings }, null, 2))
  } else {
    if (container !== undefined) io.out(formatContainer(container, io.cwd))
    for (const line of formatFindings(findings)) io.out(line)
    const what = `${count(report.apis, 'definition')} and ${count(report.policies, 'policy', 'policies')}`
    io.out(`${what} checked: ${count(errors, 'error')}, ${count(warnings, 'warning')}`)
    if (quiet > 0)
      io.out(`${count(quiet, 'field or file', 'fields and files')} without use not listed; --all lists them`)
    if (silenced > 0) io.out(`${count(silenced, 'finding')} silenced by --allow or check.allow`)
  }
  const neutral = toCheckReport(report, options.lenient === true, (file) => shortSource(file, io.cwd))
  const problem = writeReports(neutral, options, {
    cwd: io.cwd,
    environment: io.environment,
    // Standard output holds JSON only.
    print: options.json === true ? io.err : io.out,
  })
  if (problem !== undefined) io.err(`error: ${problem}`)
  if (problem !== undefined || loaded.origin === 'missing') return exitCodes.wrongUse
  return errors > 0 || (options.lenient !== true && warnings > 0) ? exitCodes.found : exitCodes.fine
}

/** Leaves out what the owner allows, and fields that say nothing. */
function listed(report: CheckReport, { allow = [], all = false }: CheckOptions) {
  const kept = withoutAllowed(report.findings, allow)
  const findings = all ? kept.findings : kept.findings.filter((finding) => !isQuiet(finding))
  return {
    report: { ...report, findings },
    silenced: report.silenced + kept.silenced,
    quiet: kept.findings.length - findings.length,
  }
}

/** Checks the folder, or the configuration that is named or found. Returns the exit code if there is none. */
async function checkNamed(
  folder: string | undefined,
  options: CheckOptions,
  io: Io,
): Promise<CheckedFolder | ExitCode> {
  const context = { environment: io.environment, cwd: io.cwd }
  if (folder !== undefined) return checkFolder(resolve(io.cwd, folder), context)
  const file = options.conf === undefined ? usualConfigFile(io.cwd) : resolve(io.cwd, options.conf)
  if (file !== undefined && dirname(file) === io.cwd && options.conf === undefined) return checkFolder(io.cwd, context)
  const loaded = loadConfig({ file: options.conf, ...context })
  const missing = findMissingConfig(loaded, io.cwd)
  if (missing !== undefined) {
    io.err(`error: ${missing}, or name a folder of definitions`)
    return exitCodes.wrongUse
  }
  return { loaded, report: await checkGateway(loaded, io.environment, Date.now()) }
}

/** One line: an owner must only see that the right folders were found. */
function formatContainer({ composeFile, variables, folders }: ContainerParts, cwd: string): string {
  const paths = Object.entries(folders).map(([path, folder]) => `${path} is ${shortSource(folder, cwd)}`)
  const names = `variables of ${shortSource(composeFile ?? '', cwd)} are used: ${variables.join(', ')}`
  return `container: ${[...paths, ...(variables.length === 0 ? [] : [names])].join('; ')}`
}

/** Sorts by severity, file and line. */
function formatFindings(findings: readonly Finding[]): string[] {
  const rank = { error: 0, warning: 1, note: 2 }
  return [...findings]
    .sort(
      (a, b) =>
        rank[a.severity] - rank[b.severity] || a.source.localeCompare(b.source) || (a.line ?? 0) - (b.line ?? 0),
    )
    .map(formatFinding)
}

function shortSource(source: string, cwd: string): string {
  if (!source.startsWith('/')) return source
  const short = relative(cwd, source)
  return short.startsWith('..') ? source : short
}
