/**
 * Decides which reloads are reported. One change of a file can cause several reloads: editors write twice, and the
 * management API writes a file that is watched and reloads as well. Only the first of them has a result that is new.
 */
import type { ReloadReport } from '@turnpike/core'

/** Returns a function that returns true if the report has a change or a problem that the report before did not have. */
export function makeReloadNews(): (report: ReloadReport) => boolean {
  let lastProblems: string | undefined
  return (report) => {
    const { changed, removed, policies, failed, renamed, unsupported, dropped } = report
    const problems = JSON.stringify([policies.problem, failed, renamed, unsupported, dropped])
    const isNews = changed.length > 0 || removed.length > 0 || policies.changed || problems !== lastProblems
    lastProblems = problems
    return isNews
  }
}
