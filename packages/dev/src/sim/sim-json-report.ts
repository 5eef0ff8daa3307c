/** The report of a simulation as JSON, for programs. */
import type { ScenarioReport, ScenarioStore } from '@turnpike/cluster-sim'
import type { Untried } from '../verify/why-not-tested.ts'

/** `untried` is absent if a scenario was simulated without the user's gateway. */
export function toJsonReport(
  scenario: string,
  store: ScenarioStore,
  report: ScenarioReport,
  untried: readonly Untried[] | undefined,
): object {
  const { exchanges, ...history } = report.history
  return {
    scenario,
    store,
    ...report,
    history: { asked: exchanges, ...history },
    ...(untried === undefined ? {} : { untried }),
  }
}
