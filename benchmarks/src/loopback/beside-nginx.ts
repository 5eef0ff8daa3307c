/** Compares the gateway with nginx over loopback, scenario by scenario. */
import { isSelected } from '../measure/is-selected.ts'
import { missingTools } from '../measure/missing-tools.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, unmeasured } from '../report/table.ts'
import { startNginx } from '../subjects/nginx.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { type Comparison, type Contestant, compare, rowOfRatio } from './compare.ts'
import { cached, keyless, overRedis, type Scenario, withKey } from './scenarios.ts'

const scenarios: readonly Scenario[] = [keyless, withKey, cached, overRedis]
const besideBare = { ...keyless, name: 'keyless, compared with nginx without keep-alive', budget: undefined }
export const loopbackNames = () => [...scenarios, besideBare].map(({ name }) => name)

export async function measureLoopback(options: RunOptions): Promise<Row[]> {
  const wanted = ({ name }: { readonly name: string }) => isSelected(name, options.scenario)
  return withPlainUpstream(async (upstream) => {
    const canRedis = missingTools(['redis-server']).length === 0
    const rows: Row[] = []
    for (const scenario of scenarios.filter((one) => canRedis || one !== overRedis).filter(wanted)) {
      const nginx: Contestant = { name: 'nginx', start: () => startNginx(upstream), path: '/plain' }
      try {
        const compared = await compare(contestantOf(scenario, upstream), nginx, options)
        rows.push(rowOfComparison(compared, scenario))
      } catch (cause) {
        // The budgets of the other scenarios are still to be measured.
        options.log(String(cause))
        rows.push(unmeasured(scenario.name, `≤ ${scenario.budget}×`, String(cause).split('\n')[0] ?? ''))
      }
    }
    if (!canRedis && wanted(overRedis))
      rows.push(unmeasured(overRedis.name, `≤ ${overRedis.budget}×`, 'redis-server is not installed'))
    const bare: Contestant = { name: 'nginx', start: () => startNginx(upstream, { keepAlive: false }), path: '/plain' }
    const few = { ...options, rounds: Math.min(options.rounds, 3) }
    if (!wanted(besideBare)) return rows
    rows.push(rowOfComparison(await compare(contestantOf(besideBare, upstream), bare, few), besideBare))
    return rows
  })
}

/** `checkout`: a built checkout of another commit. */
export function contestantOf(
  { name, start, path, headers, script }: Scenario,
  upstream: string,
  checkout?: string,
): Contestant {
  return {
    name,
    start: () => start(upstream, checkout),
    path,
    ...(headers ? { headers } : {}),
    ...(script ? { script } : {}),
  }
}

function rowOfComparison(compared: Comparison, { budget }: Scenario): Row {
  const p99 = spreadOf(compared.rounds.map((round) => round.subject.latency.p99)).median
  return rowOfRatio(`${compared.name}, CPU per request`, compared, budget, 'nginx ', `p99 ${p99.toFixed(1)} ms`)
}
