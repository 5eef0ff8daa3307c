/**
 * Measures batches of several sizes against an API that accepts them, with items in parallel and in order: the CPU
 * time of an item with an upstream that responds at once, and the duration of a batch with an upstream that has a
 * delay.
 */
import { collectResponse, type Engine } from '@turnpike/core'
import type { BatchCost } from './bench-report.ts'
import type { BenchUpstream } from './bench-upstream.ts'
import type { Calibration } from './calibration.ts'
import { makeRequest, requestLine } from './measure-ways.ts'
import { type Metric, metricOf } from './metric.ts'
import { handleOf, type SampleRequest, type Way } from './sample-way.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface BatchServices {
  readonly engine: Pick<Engine, 'handle' | 'handleOn'>
  readonly upstream: Pick<BenchUpstream, 'takes'>
  readonly stopwatch: Stopwatch
  readonly calibration: Calibration
  readonly vendor: string
}

export interface BatchEffort {
  readonly rounds: number
  /** Delay of the upstream in milliseconds for the duration of a batch. */
  readonly upstreamMs: number
}

const sizes = [1, 10, 50]
/** Number of batches in a round. One batch is too short for the resolution of the clock. */
const itemsOfRound = 200

export async function measureBatches(
  ways: readonly Way[],
  services: BatchServices,
  effort: BatchEffort,
  log: (text: string) => void,
): Promise<BatchCost[]> {
  const found: BatchCost[] = []
  for (const way of ways.filter(takesBatches)) {
    for (const items of sizes) found.push(await measureSize(way, items, services, effort))
    log(`batches: ${way.name}`)
  }
  return found
}

export const takesBatches = ({ api }: Way) => api.document.enableBatchRequestSupport === true

async function measureSize(way: Way, items: number, services: BatchServices, effort: BatchEffort): Promise<BatchCost> {
  const { upstream, stopwatch } = services
  const handle = handleOf(services.engine, way)
  const calls = {
    parallel: callOf(way, items, false, services.vendor),
    inOrder: callOf(way, items, true, services.vendor),
  }
  const replies = await collectResponse(await handle(makeRequest(calls.parallel)))
  const time = async (call: SampleRequest, count: number, read: () => number) => {
    const requests = Array.from({ length: count }, () => makeRequest(call))
    const startedAt = read()
    for (const request of requests) await handle(request)
    return (read() - startedAt) / count
  }
  const count = Math.ceil(itemsOfRound / items)
  for (const call of [calls.parallel, calls.inOrder]) await time(call, count, stopwatch.cpuMicros)
  const perItem = { parallel: [] as number[], inOrder: [] as number[] }
  const whole = { parallel: [] as number[], inOrder: [] as number[] }
  for (let round = 0; round < effort.rounds; round++) {
    const turn = round % 2 === 0 ? (['parallel', 'inOrder'] as const) : (['inOrder', 'parallel'] as const)
    services.calibration.run()
    upstream.takes(0)
    for (const kind of turn) perItem[kind].push((await time(calls[kind], count, stopwatch.cpuMicros)) / items)
    if (effort.upstreamMs > 0) upstream.takes(effort.upstreamMs)
    for (const kind of turn) whole[kind].push((await time(calls[kind], 1, stopwatch.nowMicros)) / 1000)
  }
  upstream.takes(0)
  const both = (samples: { parallel: number[]; inOrder: number[] }): { parallel: Metric; inOrder: Metric } => {
    return { parallel: metricOf(samples.parallel), inOrder: metricOf(samples.inOrder) }
  }
  return {
    api: way.api.id,
    version: way.version,
    name: way.name,
    request: requestLine(way.request),
    items,
    answered: replies.status === 200 ? countAnswered(replies.json()) : 0,
    perItem: both(perItem),
    whole: both(whole),
    upstreamMs: effort.upstreamMs,
  }
}

function callOf({ api, request }: Way, items: number, inOrder: boolean, vendor: string): SampleRequest {
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

function countAnswered(replies: unknown): number {
  const list: readonly { readonly code?: number }[] = Array.isArray(replies) ? replies : []
  return list.filter(({ code = 500 }) => code < 400).length
}
