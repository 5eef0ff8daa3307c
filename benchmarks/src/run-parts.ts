/** The parts of a benchmark run, in order. A part that fails does not stop the others. */
import { httpNames, measureHttp } from './http/measure-http.ts'
import { measureBatchSizes } from './in-process/batches.ts'
import { measureDecisions } from './in-process/decision.ts'
import { measureOperations } from './in-process/operations.ts'
import { measureParts } from './in-process/pure-functions.ts'
import { measureReloadSizes, measureReloads } from './in-process/reload.ts'
import { measureScriptedEndpoint } from './in-process/scripted-endpoint-cpu.ts'
import { measureStages } from './in-process/stages.ts'
import { measureBatches } from './loopback/batch-cost.ts'
import { measureBatchLatency } from './loopback/batch-latency.ts'
import { measureBeforeAfter } from './loopback/before-after.ts'
import { loopbackNames, measureLoopback } from './loopback/beside-nginx.ts'
import { measureGrowth } from './loopback/growth.ts'
import { hostileNames, measureHostileInput } from './loopback/hostile.ts'
import { measureLatency } from './loopback/latency.ts'
import { measureReferences } from './loopback/references.ts'
import { measureReloadUnderLoad } from './loopback/reload-under-load.ts'
import { measureStartUp } from './loopback/start-up.ts'
import { measureTelemetry, telemetryNames } from './loopback/telemetry.ts'
import { measureClients } from './loopback/upstream-clients.ts'
import { measureVariants } from './loopback/variants.ts'
import { measureWorkers } from './loopback/workers.ts'
import type { RunOptions } from './measure/run-options.ts'
import type { Row } from './report/table.ts'
import { measureSideBySide, proxyNames } from './side-by-side/side-by-side.ts'
import { measureMillion, measureSimulatedCluster } from './virtual/million.ts'

export interface RunPart {
  /** Value for `--only`. */
  readonly name: string
  /** Heading of the part's table. */
  readonly title: string
  readonly hasBudgets: boolean
  /** Needs nginx and wrk. */
  readonly overLoopback: boolean
  /** Option without which the part is not measured. */
  readonly needs?: 'before'
  /** Names that `--scenario` selects. */
  scenarios?(): readonly string[]
  run(options: RunOptions): Promise<Row[]>
}

/** At most three rounds, also in a full run. */
const withFewRounds =
  (run: RunPart['run']): RunPart['run'] =>
  (options) =>
    run({ ...options, rounds: Math.min(3, options.rounds) })

const loopback = { overLoopback: true, hasBudgets: true } as const
const shown = { overLoopback: true, hasBudgets: false } as const

export const runParts: readonly RunPart[] = [
  { name: 'in-process', title: 'In process', hasBudgets: true, overLoopback: false, run: inProcess },
  { name: 'scripts', title: 'Scripts', hasBudgets: true, overLoopback: false, run: measureScriptedEndpoint },
  { name: 'sim', title: 'Virtual time', hasBudgets: true, overLoopback: false, run: virtualTime },
  { name: 'start', title: 'Start', ...loopback, run: measureStartUp },
  { name: 'loopback', title: 'A request, beside nginx', ...loopback, scenarios: loopbackNames, run: measureLoopback },
  {
    name: 'http',
    title: 'HTTP by kind, beside nginx, HAProxy and a bare server',
    ...loopback,
    scenarios: httpNames,
    run: withFewRounds(measureHttp),
  },
  { name: 'references', title: 'Other proxies, beside nginx', ...shown, run: withFewRounds(measureReferences) },
  { name: 'side-by-side', title: 'Beside other proxies', ...shown, scenarios: proxyNames, run: measureSideBySide },
  { name: 'latency', title: 'Latency', ...shown, run: withFewRounds(measureLatency) },
  {
    name: 'variants',
    title: 'Front ends, workers and bodies, beside nginx',
    ...shown,
    run: withFewRounds(measureVariants),
  },
  { name: 'workers', title: 'Two workers, beside one', ...loopback, run: measureWorkers },
  { name: 'clients', title: 'Clients towards upstreams', ...shown, run: measureClients },
  {
    name: 'telemetry',
    title: 'OpenTelemetry, beside the same gateway without it',
    ...loopback,
    scenarios: telemetryNames,
    run: measureTelemetry,
  },
  { name: 'batch', title: 'Batches', ...loopback, run: measureBatches },
  {
    name: 'batch-latency',
    title: 'Batches by latency of the upstream',
    hasBudgets: false,
    overLoopback: false,
    run: measureBatchLatency,
  },
  { name: 'growth', title: 'Growth', ...loopback, run: measureGrowth },
  { name: 'before-after', title: 'Beside an earlier commit', ...shown, needs: 'before', run: measureBeforeAfter },
  { name: 'reload', title: 'Reloads under load', ...loopback, run: measureReloadUnderLoad },
  {
    name: 'hostile',
    title: 'Hostile input',
    hasBudgets: true,
    overLoopback: false,
    scenarios: hostileNames,
    run: measureHostileInput,
  },
]

async function inProcess({ quick, budgets }: RunOptions): Promise<Row[]> {
  return [
    ...(await measureDecisions(quick ? 500 : 2000)),
    ...(await measureOperations(quick ? 500 : 2000)),
    ...(budgets ? [] : await measureStages(quick ? 200 : 1000)),
    ...(budgets ? [] : await measureParts(quick ? 100 : 500)),
    ...(budgets ? [] : await measureBatchSizes(quick ? 3 : 11)),
    ...(await measureReloads(1000, quick ? 5 : 11)),
    ...(budgets ? [] : await measureReloadSizes(quick ? 3 : 7)),
  ]
}

async function virtualTime({ quick }: RunOptions): Promise<Row[]> {
  const requests = quick ? 100_000 : 1_000_000
  return [...(await measureMillion(3, requests)), ...(await measureSimulatedCluster(requests))]
}
