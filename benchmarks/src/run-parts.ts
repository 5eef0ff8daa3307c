/** The parts of a benchmark run, in order. A part that fails does not stop the others. */
import { measureBatchSizes } from './in-process/batches.ts'
import { measureDecisions } from './in-process/decision.ts'
import { measureParts } from './in-process/pure-functions.ts'
import { measureReloadSizes, measureReloads } from './in-process/reload.ts'
import { measureScriptedEndpoint } from './in-process/scripted-endpoint-cpu.ts'
import { measureStages } from './in-process/stages.ts'
import { measureBatches } from './loopback/batch.ts'
import { measureBatchLatency } from './loopback/batch-latency.ts'
import { measureBeforeAfter } from './loopback/before-after.ts'
import { measureClients } from './loopback/clients.ts'
import { measureGrowth } from './loopback/growth.ts'
import { hostileNames, measureHostileInput } from './loopback/hostile.ts'
import { measureLatency } from './loopback/latency.ts'
import { loopbackNames, measureLoopback } from './loopback/loopback.ts'
import { measureReferences } from './loopback/references.ts'
import { measureReloadUnderLoad } from './loopback/reload-under-load.ts'
import { measureStartUp } from './loopback/start-up.ts'
import { measureTelemetry, telemetryNames } from './loopback/telemetry.ts'
import { measureVariants } from './loopback/variants.ts'
import type { Row } from './report/table.ts'
import { measureSideBySide, proxyNames } from './side-by-side/side-by-side.ts'
import { measureMillion, measureSimulatedCluster } from './virtual/million.ts'

export interface RunOptions {
  readonly quick: boolean
  /** Measures only rows that have a budget. */
  readonly budgets: boolean
  /** Command that starts another gateway. */
  readonly other: string | undefined
  /** A built checkout of an earlier commit. */
  readonly before: string | undefined
  /** Measures only scenarios whose name contains this text, in parts that have scenarios. */
  readonly scenario: string | undefined
  readonly log: (text: string) => void
}

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

const roundsOf = ({ quick }: RunOptions) => (quick ? 3 : 7)
/** Rounds of parts without a budget. */
const fewRounds = 3

const loopback = { overLoopback: true, hasBudgets: true } as const
const shown = { overLoopback: true, hasBudgets: false } as const

export const runParts: readonly RunPart[] = [
  { name: 'in-process', title: 'In process', hasBudgets: true, overLoopback: false, run: inProcess },
  {
    name: 'scripts',
    title: 'Scripts',
    hasBudgets: true,
    overLoopback: false,
    run: (o) => measureScriptedEndpoint(roundsOf(o)),
  },
  { name: 'sim', title: 'Virtual time', hasBudgets: true, overLoopback: false, run: virtualTime },
  { name: 'start', title: 'Start', ...loopback, run: (o) => measureStartUp(roundsOf(o), o.log) },
  {
    name: 'loopback',
    title: 'A request, beside nginx',
    ...loopback,
    scenarios: loopbackNames,
    run: (o) => measureLoopback(roundsOf(o), o.quick, o.log, o.scenario),
  },
  {
    name: 'references',
    title: 'Other proxies, beside nginx',
    ...shown,
    run: (o) => measureReferences(fewRounds, o.quick, o.other, o.log),
  },
  {
    name: 'side-by-side',
    title: 'Beside other proxies',
    ...shown,
    scenarios: proxyNames,
    run: (o) => measureSideBySide(roundsOf(o), o.quick, o.log, o.scenario),
  },
  { name: 'latency', title: 'Latency', ...shown, run: (o) => measureLatency(fewRounds, o.quick, o.log) },
  {
    name: 'variants',
    title: 'Front ends, workers and bodies, beside nginx',
    ...shown,
    run: (o) => measureVariants(fewRounds, o.quick, o.log),
  },
  {
    name: 'clients',
    title: 'Clients towards upstreams',
    ...shown,
    run: (o) => measureClients(roundsOf(o), o.quick, o.log),
  },
  {
    name: 'telemetry',
    title: 'OpenTelemetry, beside the same gateway without it',
    ...loopback,
    scenarios: telemetryNames,
    run: (o) => measureTelemetry(roundsOf(o), o.quick, o.log, o.scenario),
  },
  { name: 'batch', title: 'Batches', ...loopback, run: (o) => measureBatches(roundsOf(o), o.quick, o.log) },
  {
    name: 'batch-latency',
    title: 'Batches by latency of the upstream',
    hasBudgets: false,
    overLoopback: false,
    run: (o) => measureBatchLatency(o.quick, o.log),
  },
  { name: 'growth', title: 'Growth', ...loopback, run: (o) => measureGrowth(roundsOf(o), o.quick, o.log) },
  {
    name: 'before-after',
    title: 'Beside an earlier commit',
    ...shown,
    needs: 'before',
    run: (o) => measureBeforeAfter(roundsOf(o), o.quick, o.before ?? '', o.log),
  },
  { name: 'reload', title: 'Reloads under load', ...loopback, run: (o) => measureReloadUnderLoad(o.quick, o.log) },
  {
    name: 'hostile',
    title: 'Hostile input',
    hasBudgets: true,
    overLoopback: false,
    scenarios: hostileNames,
    run: (o) => measureHostileInput(roundsOf(o), o.log, o.scenario),
  },
]

async function inProcess({ quick, budgets }: RunOptions): Promise<Row[]> {
  return [
    ...(await measureDecisions(quick ? 500 : 2000)),
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
