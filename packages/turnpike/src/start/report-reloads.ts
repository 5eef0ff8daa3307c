/** Reports reloads of definitions and policies, each once. */
import { dirname } from 'node:path'
import type { ReloadReport } from '@turnpike/core/engine'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Colours } from './colours.ts'
import { makeReloadLines, type ReloadPlaces } from './reload-lines.ts'
import type { Reporter } from './reporter.ts'

interface ReloadReporter {
  /** Reports the first load, if it has a problem. */
  started(report: ReloadReport): void
  /** Reports a reload that changed something, or has other problems than the one before. */
  reloaded(report: ReloadReport): void
  /** Reports a reload that the user asked for, also if nothing changed. */
  asked(report: ReloadReport): void
}

export function makeReloadReporter(
  reporter: Pick<Reporter, 'reloaded'>,
  places: ReloadPlaces,
  colours: Colours,
): ReloadReporter {
  const isNews = makeReloadNews()
  const linesOf = makeReloadLines(places, colours)
  const printed = new WeakSet<ReloadReport>()
  const print = (report: ReloadReport, lines: readonly string[]) => {
    printed.add(report)
    reporter.reloaded(report, lines)
  }
  return {
    started(report) {
      isNews(report)
      const lines = linesOf(report)
      if (lines.length > 1) print(report, lines)
    },
    reloaded(report) {
      const lines = linesOf(report)
      if (isNews(report)) print(report, lines)
    },
    asked(report) {
      if (!printed.has(report)) print(report, linesOf(report))
    },
  }
}

export function placesOf({ appPath, policies }: GatewayConfig, cwd: string): ReloadPlaces {
  const { policyPath, policyRecordName } = policies
  return { cwd, definitions: appPath, policies: policyPath !== '' ? policyPath : dirname(policyRecordName) }
}

/**
 * Returns a function that returns true if the report has a change or a problem that the report before did not have. One
 * change of a file can cause several reloads: editors write twice, and the management API writes a file that is watched
 * and reloads as well. Only the first of them has a result that is new.
 */
function makeReloadNews(): (report: ReloadReport) => boolean {
  let lastProblems: string | undefined
  return (report) => {
    const { changed, removed, policies, failed, renamed, unsupported, dropped } = report
    const problems = JSON.stringify([policies.problem, failed, renamed, unsupported, dropped])
    const isNews = changed.length > 0 || removed.length > 0 || policies.changed || problems !== lastProblems
    lastProblems = problems
    return isNews
  }
}
