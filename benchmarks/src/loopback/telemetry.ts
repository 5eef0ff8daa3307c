/**
 * Cost of OpenTelemetry: a request with key, rate and quota through a gateway with traces, compared with a gateway whose
 * configuration does not mention them. Spans go to a collector in the process of the benchmark, whose CPU time does not
 * count.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSelected } from '../measure/is-selected.ts'
import type { RunOptions } from '../measure/run-options.ts'
import type { Row } from '../report/table.ts'
import { startPlainUpstream } from '../subjects/programs.ts'
import { type Contestant, compare, rowOfRatio, shapeOf } from './compare.ts'
import { startWithKey } from './scenarios.ts'

interface TracedCase {
  readonly name: string
  /** Largest ratio of CPU per request to the gateway without the section. */
  readonly budget: number | undefined
  readonly section: object
}

/** One request in a hundred is recorded, so its code needs more requests than usual until it is compiled. */
const warmUpSeconds = 8

const ratioOf = (rate: number) => ({ enabled: true, sampling: { type: 'TraceIDRatioBased', rate } })

const cases: readonly TracedCase[] = [
  { name: 'traces configured, but off', budget: 1.05, section: { enabled: false } },
  { name: 'traces sampled at 1 %', budget: 1.15, section: ratioOf(0.01) },
  {
    name: 'traces sampled at 1 %, and metrics',
    budget: 1.15,
    section: { ...ratioOf(0.01), metrics: { enabled: true } },
  },
  { name: 'traces sampled at 100 %', budget: undefined, section: ratioOf(1) },
]

export const telemetryNames = () => cases.map(({ name }) => name)

export async function measureTelemetry(options: RunOptions): Promise<Row[]> {
  const upstream = await startPlainUpstream()
  const collector = await startSink()
  const gateway = (name: string, config: object): Contestant => ({
    name,
    start: () => startWithKey(upstream.url, { config }),
    path: '/a0/plain',
    headers: { Authorization: 'benchone' },
  })
  try {
    const rows: Row[] = []
    for (const { name, budget, section } of cases.filter((one) => isSelected(one.name, options.scenario))) {
      const config = { opentelemetry: { endpoint: collector.url, ...section } }
      const shape = { ...shapeOf(options.quick), warmUpSeconds }
      const compared = await compare(gateway(name, config), gateway('without', {}), options, shape)
      rows.push(rowOfRatio(`${name}, CPU per request`, compared, budget, ''))
    }
    return rows
  } finally {
    await collector.close()
    await upstream.stop()
  }
}

/** Accepts everything and keeps nothing. */
async function startSink() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
