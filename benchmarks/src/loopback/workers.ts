/**
 * Two workers on the embedded store beside one worker: CPU time per request with a key, a rate and a quota. Counting over
 * processes costs a transaction per event loop iteration, so its share falls with the number of connections. On two cores
 * the load generator and the upstream take the second core, so throughput is not measured here.
 */
import type { RunOptions } from '../measure/run-options.ts'
import type { Row } from '../report/table.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { type Contestant, compare, rowOfRatio, shapeOf } from './compare.ts'
import { startWithKey, withKey } from './scenarios.ts'

/** Connections, and the largest ratio of CPU per request to one worker. */
const loads = [
  { connections: 32, budget: 1.25 },
  { connections: 128, budget: 1.15 },
] as const

export async function measureWorkers(options: RunOptions): Promise<Row[]> {
  return withPlainUpstream(async (upstream) => {
    const rows: Row[] = []
    for (const { connections, budget } of loads) {
      const gateway = (workers: number): Contestant => ({
        name: `${workers} workers, ${connections} connections`,
        start: () => startWithKey(upstream, { config: { workers } }),
        path: withKey.path,
        ...(withKey.headers === undefined ? {} : { headers: withKey.headers }),
        connections,
      })
      const compared = await compare(gateway(2), gateway(1), options, shapeOf(options.quick))
      rows.push(rowOfRatio(`2 workers, ${connections} connections, CPU per request by one`, compared, budget, ''))
    }
    return rows
  })
}
