/** The report of `turnpike sim` for CI systems: an item for the scenario, and one for each check of its runs. */
import type { ScenarioCheck, ScenarioReport } from '@turnpike/cluster-sim'
import type { Report, ReportItem } from '@turnpike/reports'
import { version } from 'turnpike/embedding'

const home = 'https://github.com/turnpike-gateway/turnpike'

const rules: Readonly<Record<ScenarioCheck, string>> = {
  bound: 'More requests are admitted than the limiter may admit.',
  linearizable: 'The decisions of the nodes do not fit one store.',
  reload: 'A reload changes decisions that it must not change.',
  'deleted-keys': 'A node admits a deleted key.',
  convergence: 'Nodes do not serve the same version in the end.',
  answered: 'A request has no response.',
  available: 'A request gets an error of the gateway.',
  recovery: 'A node does not recover from a fault.',
}

export interface SimReportSource {
  readonly scenario: string
  /** The file of the scenario; absent for those that the package ships. */
  readonly file?: string | undefined
  /** The command line that repeats the broken run. */
  readonly again: string
}

export function toCiReport(report: ScenarioReport, { scenario, file, again }: SimReportSource): Report {
  const details = `${report.runs} runs, ${report.requests} requests`
  return {
    tool: { name: 'turnpike sim', version, url: home },
    rules: Object.entries(rules).map(([id, summary]) => ({
      id,
      summary,
      url: `${home}/blob/main/docs/cluster-sim.md`,
    })),
    failsOn: 'warning',
    items: report.holds
      ? report.checks.map((check) => ({ group: scenario, name: check, findings: [], details }))
      : [brokenItem(report, { scenario, file, again }, details)],
  }
}

function brokenItem(
  { violation }: ScenarioReport & { readonly holds: false },
  { scenario, file, again }: SimReportSource,
  details: string,
): ReportItem {
  const { check: rule, message } = violation
  const finding = { rule, level: 'error' as const, message, fix: `see the run: ${again}`, file }
  return { group: scenario, name: rule, findings: [finding], details }
}
