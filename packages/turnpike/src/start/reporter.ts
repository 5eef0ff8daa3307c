/** The output of `turnpike start`: text, or lines of JSON with `--json`. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { ReloadReport } from '@turnpike/core/engine'
import type { RequestRecord } from '@turnpike/core/pipeline'
import { type Finding, formatFinding } from '../config/finding.ts'
import type { Io } from '../terminal/io.ts'
import { makeColours, wantsColour } from './colours.ts'
import { configLines } from './reload-lines.ts'
import { requestLine } from './request-line.ts'
import type { StartOptions } from './start-options.ts'
import type { ConfigReload } from './watch-config.ts'

export interface Reporter {
  /** True if requests are printed. Otherwise the gateway need not record them. */
  readonly requests: boolean
  /** Prints errors and warnings, and one line for all settings without effect. */
  findings(findings: readonly Finding[]): void
  /** Prints why the gateway cannot start or continue, even with `--quiet`. */
  fail(message: string): void
  warn(message: string): void
  note(message: string): void
  started(facts: object, banner: readonly string[]): void
  /** Warns about settings of APIs that have no effect. */
  served(apis: readonly ApiDefinition[]): void
  /** `lines`: the report as text. */
  reloaded(report: ReloadReport, lines: readonly string[]): void
  configReloaded(reload: ConfigReload): void
  request(entry: RequestRecord, apis: readonly ApiDefinition[]): void
}

export function makeReporter(options: StartOptions, io: Io): Reporter {
  const json = options.json === true
  const quiet = options.quiet === true
  const colours = makeColours(wantsColour(io.isTerminal, io.environment))
  const print = (event: string, facts: object, lines: readonly string[]) => {
    if (json) io.out(JSON.stringify({ event, ...facts }))
    else if (!quiet) for (const line of lines) io.out(line)
  }
  const printProblem = (event: string, message: string) => {
    if (json) io.out(JSON.stringify({ event, message }))
    else io.err(`${(event === 'error' ? colours.bad : colours.caution)(event)}: ${message}`)
  }
  const listenPathOf = rememberListenPaths()
  return {
    requests: options.requests ?? !quiet,
    findings(findings) {
      for (const finding of findings) {
        if (finding.severity === 'note') continue
        if (quiet && finding.severity === 'warning') continue
        if (json) io.out(JSON.stringify({ event: finding.severity, ...finding }))
        else io.err(formatFinding(finding))
      }
      const ineffective = findings.filter((finding) => finding.severity === 'note' && finding.ineffective)
      if (ineffective.length === 0 || quiet) return
      const fields = ineffective.map(({ field }) => field).join(', ')
      printProblem('note', `these settings have no effect, and turnpike check says why: ${fields}`)
    },
    fail: (message) => printProblem('error', message),
    warn(message) {
      if (!quiet) printProblem('warning', message)
    },
    note: (message) => print('note', { message }, [message]),
    started: (facts, banner) => print('started', facts, banner),
    served(apis) {
      const inactive = apis.filter((api) => !api.active).map((api) => api.id)
      if (inactive.length === 0 || quiet) return
      printProblem(
        'warning',
        `"active": false has no effect, these are served: ${inactive.join(', ')} (set honour_active)`,
      )
    },
    reloaded: (report, lines) => print('reload', { ...report }, lines),
    configReloaded(reload) {
      if (json || !quiet) print('config', reload, configLines(reload, colours))
      else if (reload.rejected) for (const line of configLines(reload, colours)) io.err(line)
    },
    request(entry, apis) {
      const listenPath = listenPathOf(entry.apiId, apis)
      io.outSoon(
        json ? JSON.stringify({ event: 'request', ...entry, listenPath }) : requestLine(entry, listenPath, colours),
      )
    },
  }
}

/** Returns a lookup of listen paths by API id. It rebuilds its index when the list object changes. */
function rememberListenPaths(): (apiId: string, apis: readonly ApiDefinition[]) => string {
  let indexed: readonly ApiDefinition[] = []
  let paths = new Map<string, string>()
  return (apiId, apis) => {
    if (apis !== indexed) {
      indexed = apis
      paths = new Map(apis.map((api) => [api.id, api.listenPath]))
    }
    return paths.get(apiId) ?? ''
  }
}
