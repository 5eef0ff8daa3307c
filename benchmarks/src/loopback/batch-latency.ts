/**
 * The duration of batches over loopback by number of items and latency of the upstream, at once and in order, beside the
 * theoretical limit. The limit uses the latency that is set for the upstream and the shortest measured work for an
 * item, so that no pause of the machine raises it.
 */
import { batchLimitMs, efficiencyOf } from '@turnpike/dev/measurement'
import { Pool } from 'undici'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startDelayingUpstream } from '../subjects/programs.ts'
import { startTurnpike } from '../subjects/turnpike.ts'

/** Items that the gateway runs at once: the default of `batch.max_concurrency`. */
export const batchConcurrency = 64
const latenciesMs = [1, 10, 100]

interface Effort {
  readonly rounds: number
  readonly sizes: readonly number[]
  /** A batch in order that waits longer than this for its upstream is not measured. */
  readonly maxWaitMs: number
}

const fullEffort: Effort = { rounds: 7, sizes: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], maxWaitMs: 20_000 }
const quickEffort: Effort = { rounds: 3, sizes: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], maxWaitMs: 2000 }
/** Rounds of batches that wait longer than a second. */
const roundsOfLong = 3

type Order = 'at once' | 'in order'

interface Times {
  readonly 'at once': number[]
  readonly 'in order': number[]
}

export async function measureBatchLatency({ quick, log }: RunOptions): Promise<Row[]> {
  const effort = quick ? quickEffort : fullEffort
  const upstream = await startDelayingUpstream()
  const api = definition('a0', upstream.url, { enable_batch_request_support: true })
  const gateway = await startTurnpike({ apis: [api], config: { batch: { max_concurrency: batchConcurrency } } })
  const client = new Pool(gateway.url)
  try {
    const send = (items: number, order: Order, delayMs: number) => sendBatch(client, items, order, delayMs)
    const overheadMs = await overheadOf(send)
    log(`batches: ${(overheadMs * 1000).toFixed(0)} µs of work for an item`)
    const rows: Row[] = []
    for (const delayMs of latenciesMs) {
      for (const items of effort.sizes) {
        const times = await timeBatch(send, items, delayMs, effort)
        for (const order of ['at once', 'in order'] as const) {
          const concurrency = order === 'at once' ? batchConcurrency : 1
          const limitMs = batchLimitMs({ items, latencyMs: delayMs, concurrency, overheadMs })
          rows.push(...rowsOf(items, order, delayMs, times[order], limitMs, overheadMs))
        }
      }
      log(`batches: upstream of ${delayMs} ms`)
    }
    return rows
  } finally {
    await client.destroy()
    await gateway.stop()
    await upstream.stop()
  }
}

type Send = (items: number, order: Order, delayMs: number) => Promise<number>

/** Returns the duration in milliseconds. Rejects if an item failed. */
async function sendBatch(gateway: Pool, items: number, order: Order, delayMs: number): Promise<number> {
  const requests = Array.from({ length: items }, () => ({ method: 'GET', headers: {}, relative_url: `${delayMs}` }))
  const body = JSON.stringify({ requests, suppress_parallel_execution: order === 'in order' })
  const startedAt = performance.now()
  const answer = await gateway.request({
    method: 'POST',
    path: '/a0/svc/batch/',
    body,
    bodyTimeout: 0,
    headersTimeout: 0,
  })
  const text = await answer.body.text()
  const ms = performance.now() - startedAt
  const replies = JSON.parse(text) as { code: number }[]
  if (replies.length !== items || replies.some(({ code }) => code !== 200)) {
    throw new Error(`a batch of ${items} was answered ${answer.statusCode} ${text.slice(0, 200)}`)
  }
  return ms
}

async function timeBatch(send: Send, items: number, delayMs: number, effort: Effort): Promise<Times> {
  const times: Times = { 'at once': [], 'in order': [] }
  const waitMs = items * delayMs
  // The first batch of a size opens connections to the upstream.
  await send(items, 'at once', delayMs)
  for (let round = 0; round < effort.rounds; round++) {
    const turn: readonly Order[] = round % 2 === 0 ? ['at once', 'in order'] : ['in order', 'at once']
    for (const order of turn) {
      if (order === 'in order' && (waitMs > effort.maxWaitMs || (waitMs > 1000 && round >= roundsOfLong))) continue
      times[order].push(await send(items, order, delayMs))
    }
  }
  return times
}

/** Batches whose upstream responds at once, to measure the gateway's own work. The first ones also compile the code. */
const workBatches = { items: 200, count: 40 }

/** The gateway's own work for an item in milliseconds: its share of the shortest batch whose upstream responds at once. */
async function overheadOf(send: Send): Promise<number> {
  const durations: number[] = []
  for (let i = 0; i < workBatches.count; i++) durations.push(await send(workBatches.items, 'at once', 0))
  return spreadOf(durations).min / workBatches.items
}

function rowsOf(
  items: number,
  order: Order,
  upstreamMs: number,
  times: readonly number[],
  limitMs: number,
  overheadMs: number,
): Row[] {
  const tags = { items, order, upstreamMs, overheadMs, limitMs }
  const name = `batch of ${items}, ${order}, upstream of ${upstreamMs} ms`
  if (times.length === 0) {
    return [{ name, measured: 'not measured', note: 'would take too long', budget: '', verdict: '', tags }]
  }
  const spread = spreadOf(times)
  const efficiency = Math.round(efficiencyOf(limitMs, spread.median) * 100)
  return [
    { ...rowOf(name, spread, ' ms', undefined, `limit ${limitMs.toFixed(1)} ms, efficiency ${efficiency} %`), tags },
  ]
}
