/**
 * Measures batches of several sizes against an API that accepts them, with items in parallel and in order: the CPU
 * time of an item with an upstream that responds at once, and the duration of a batch with upstreams that have a delay,
 * beside its theoretical limit.
 */
import { collectResponse, type Engine } from '@turnpike/core/engine'
import { batchLimitMs } from '../measurement/batch-limit.ts'
import type { Calibration } from '../measurement/calibration.ts'
import { medianOf, metricOf } from '../measurement/metric.ts'
import type { BatchCost, BatchDuration, BatchTime } from './bench-report.ts'
import type { BenchUpstream } from './bench-upstream.ts'
import { makeRequest, requestLine } from './measure-requests.ts'
import { type BenchTarget, handleOf, type SampleRequest } from './sample-requests.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface BatchServices {
  readonly engine: Pick<Engine, 'handle' | 'handleOn'>
  readonly upstream: Pick<BenchUpstream, 'takes' | 'wait'>
  readonly stopwatch: Stopwatch
  readonly calibration: Calibration
  readonly vendor: string
}

export interface BatchEffort {
  readonly rounds: number
  /** Numbers of items. */
  readonly sizes: readonly number[]
  /** Delays of the upstream in milliseconds for the duration of a batch. */
  readonly upstreamMs: readonly number[]
  /** Number of items that the gateway runs at once. */
  readonly concurrency: number
}

type Order = 'parallel' | 'inOrder'

/** Minimum number of items of a round with an upstream that responds at once. One batch is too short for the clock. */
const itemsOfRound = 200
/** A batch in order that waits longer than this for its upstream is not measured. */
const maxWaitMs = 2000

export async function measureBatches(
  targets: readonly BenchTarget[],
  services: BatchServices,
  effort: BatchEffort,
  log: (text: string) => void,
): Promise<BatchCost[]> {
  const found: BatchCost[] = []
  for (const target of targets.filter(takesBatches)) {
    for (const items of effort.sizes) found.push(await measureSize(target, items, services, effort))
    log(`batches: ${target.name}`)
  }
  return found
}

export const takesBatches = ({ api }: BenchTarget) => api.document.enableBatchRequestSupport === true

async function measureSize(
  target: BenchTarget,
  items: number,
  services: BatchServices,
  effort: BatchEffort,
): Promise<BatchCost> {
  const send = {
    parallel: senderOf(target, callOf(target, items, false, services.vendor), services),
    inOrder: senderOf(target, callOf(target, items, true, services.vendor), services),
  }
  const answered = await countResponses(target, items, services)
  const { cpu, wall, delays } = await takeSamples(send, items, services, effort)
  const overheadMs = medianOf(wall.parallel)
  return {
    api: target.api.id,
    version: target.version,
    name: target.name,
    request: requestLine(target.request),
    items,
    answered,
    perItem: { parallel: metricOf(cpu.parallel), inOrder: metricOf(cpu.inOrder) },
    concurrency: effort.concurrency,
    durations: delays.map((samples) => durationOf(samples, items, overheadMs, effort.concurrency)),
  }
}

type SamplesByOrder = Record<Order, number[]>

interface BatchSamples {
  /** CPU time of an item in microseconds. */
  readonly cpu: SamplesByOrder
  /** Wall time of an item in milliseconds, with an upstream that responds at once. */
  readonly wall: SamplesByOrder
  readonly delays: readonly DelaySamples[]
}

/** Wall times of a batch in milliseconds, with an upstream that has a delay of `ms`. */
interface DelaySamples extends SamplesByOrder {
  readonly ms: number
  /** Measured latencies of the upstream in milliseconds. */
  readonly waits: number[]
}

/** Measures batches of one size over all rounds. The first batches warm up and are not counted. */
async function takeSamples(
  send: Readonly<Record<Order, ReturnType<typeof senderOf>>>,
  items: number,
  services: BatchServices,
  effort: BatchEffort,
): Promise<BatchSamples> {
  const { upstream, stopwatch } = services
  const count = Math.ceil(itemsOfRound / items)
  for (const order of ['parallel', 'inOrder'] as const) await send[order](count, stopwatch.cpuMicros)
  const cpu: SamplesByOrder = { parallel: [], inOrder: [] }
  const wall: SamplesByOrder = { parallel: [], inOrder: [] }
  const delays = effort.upstreamMs.map((ms): DelaySamples => ({ ms, waits: [], parallel: [], inOrder: [] }))
  for (let round = 0; round < effort.rounds; round++) {
    const turn: readonly Order[] = round % 2 === 0 ? ['parallel', 'inOrder'] : ['inOrder', 'parallel']
    services.calibration.run()
    upstream.takes(0)
    for (const order of turn) {
      cpu[order].push((await send[order](count, stopwatch.cpuMicros)) / items)
      wall[order].push((await send[order](count, stopwatch.nowMicros)) / items / 1000)
    }
    for (const delay of delays) {
      upstream.takes(delay.ms)
      delay.waits.push(await waitOf(services))
      for (const order of turn) {
        if (order === 'inOrder' && items * delay.ms > maxWaitMs) continue
        delay[order].push((await send[order](1, stopwatch.nowMicros)) / 1000)
      }
    }
  }
  upstream.takes(0)
  return { cpu, wall, delays }
}

/** Returns the duration of a batch with a delayed upstream, beside its theoretical limit. */
function durationOf(
  { ms, waits, parallel, inOrder }: DelaySamples,
  items: number,
  overheadMs: number,
  maxConcurrency: number,
): BatchDuration {
  const latencyMs = medianOf(waits)
  const timeOf = (samples: readonly number[], concurrency: number): BatchTime => {
    return { duration: metricOf(samples), limitMs: batchLimitMs({ items, latencyMs, concurrency, overheadMs }) }
  }
  return {
    upstreamMs: ms,
    latencyMs,
    parallel: timeOf(parallel, maxConcurrency),
    ...(inOrder.length === 0 ? {} : { inOrder: timeOf(inOrder, 1) }),
  }
}

/** Returns a function that sends `count` batches one after the other and returns the time of each in microseconds. */
function senderOf(target: BenchTarget, call: SampleRequest, { engine }: Pick<BatchServices, 'engine'>) {
  const handle = handleOf(engine, target)
  return async (count: number, read: () => number): Promise<number> => {
    const requests = Array.from({ length: count }, () => makeRequest(call))
    const startedAt = read()
    for (const request of requests) await handle(request)
    return (read() - startedAt) / count
  }
}

/** Milliseconds that the upstream takes for one request; timers are late by up to a millisecond. */
async function waitOf({ upstream, stopwatch }: BatchServices): Promise<number> {
  const samples: number[] = []
  for (let i = 0; i < 5; i++) {
    const startedAt = stopwatch.nowMicros()
    await upstream.wait()
    samples.push((stopwatch.nowMicros() - startedAt) / 1000)
  }
  return medianOf(samples)
}

async function countResponses(target: BenchTarget, items: number, { engine, vendor }: BatchServices): Promise<number> {
  const replies = await collectResponse(
    await handleOf(engine, target)(makeRequest(callOf(target, items, false, vendor))),
  )
  const list: unknown = replies.status === 200 ? replies.json() : []
  return Array.isArray(list) ? list.filter(({ code = 500 }: { code?: number }) => code < 400).length : 0
}

function callOf({ api, request }: BenchTarget, items: number, inOrder: boolean, vendor: string): SampleRequest {
  const base = api.listenPath.endsWith('/') ? api.listenPath : `${api.listenPath}/`
  const item = { method: request.method, headers: request.headers, relative_url: request.url.slice(base.length) }
  return {
    method: 'POST',
    url: `${base}${vendor}/batch/`,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      requests: Array.from({ length: items }, () => item),
      ...(inOrder ? { suppress_parallel_execution: true } : {}),
    }),
  }
}
