/**
 * Measures reloads of the user's files and the latency of requests during them. Requests are due at a constant rate,
 * independent of earlier responses, and latency counts from the time when a request was due. A stall therefore shows
 * in every request that it delays.
 */
import type { Engine } from '@turnpike/core'
import type { BenchGateway } from './bench-gateway.ts'
import type { LatencyOf, ReloadCost } from './bench-report.ts'
import { makeRequest } from './measure-ways.ts'
import { metricOf, quantile } from './metric.ts'
import { handleOf, type Way } from './sample-way.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface ReloadEffort {
  readonly rounds: number
  /** Minimum number of requests that are due in each round; half of them are due before the reload begins. */
  readonly requests: number
  /** Interval between requests in microseconds. */
  readonly everyMicros: number
}

type ReloadServices = Pick<BenchGateway, 'engine' | 'files' | 'touch'> & { readonly stopwatch: Stopwatch }

export async function measureReloads(
  way: Way | undefined,
  services: ReloadServices,
  effort: ReloadEffort,
  log: (text: string) => void,
): Promise<ReloadCost[]> {
  const { files, touch } = services
  const kinds = [
    { name: 'nothing changed', touched: [] },
    { name: 'one changed', touched: files.slice(0, 1) },
    { name: 'all changed', touched: files },
  ]
  const durations = kinds.map(() => [] as number[])
  const calm = makeLatencies()
  const during = kinds.map(() => makeLatencies())
  await services.engine.reload()
  for (let round = 0; round < effort.rounds; round++) {
    calm.add(await play(way, services, effort, undefined))
    const turn = round % 2 === 0 ? [...kinds.entries()] : [...kinds.entries()].reverse()
    for (const [i, { touched }] of turn) {
      for (const file of touched) touch(file)
      let durationMs = 0
      const reload = async () => {
        const startedAt = services.stopwatch.nowMicros()
        await services.engine.reload()
        durationMs = (services.stopwatch.nowMicros() - startedAt) / 1000
      }
      during[i]?.add(await play(way, services, effort, reload))
      durations[i]?.push(durationMs)
    }
    log(`reloads: round ${round + 1} of ${effort.rounds}`)
  }
  const undisturbed = calm.read()
  return kinds.map(({ name }, i) => ({
    name,
    definitions: files.length,
    duration: metricOf(durations[i] ?? []),
    latency: during[i]?.read() ?? undisturbed,
    undisturbed,
  }))
}

/**
 * Returns the sorted latencies in milliseconds. The reload begins after half of the requests, and the function waits
 * for it.
 */
async function play(
  way: Way | undefined,
  { engine, stopwatch }: { readonly engine: Pick<Engine, 'handle' | 'handleOn'>; readonly stopwatch: Stopwatch },
  { requests, everyMicros }: ReloadEffort,
  reload: (() => Promise<void>) | undefined,
): Promise<number[]> {
  const latencies: number[] = []
  const startedAt = stopwatch.nowMicros()
  let reloading: Promise<void> | undefined
  let reloaded = reload === undefined
  const ask = async (due: number) => {
    if (way !== undefined) await handleOf(engine, way)(makeRequest(way.request))
    latencies.push((stopwatch.nowMicros() - due) / 1000)
  }
  const open: Promise<void>[] = []
  for (let asked = 0; asked < requests || !reloaded; ) {
    const due = startedAt + asked * everyMicros
    if (stopwatch.nowMicros() >= due) {
      asked++
      open.push(ask(due))
    }
    if (reloading === undefined && reload !== undefined && asked * 2 >= requests) {
      reloading = reload().finally(() => {
        reloaded = true
      })
    }
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  await reloading
  await Promise.all(open)
  return latencies.toSorted((a, b) => a - b)
}

function makeLatencies() {
  const p50: number[] = []
  const p99: number[] = []
  const longest: number[] = []
  return {
    add(sorted: readonly number[]) {
      p50.push(quantile(sorted, 0.5))
      p99.push(quantile(sorted, 0.99))
      longest.push(sorted.at(-1) ?? 0)
    },
    read: (): LatencyOf => ({ p50: metricOf(p50), p99: metricOf(p99), longest: metricOf(longest) }),
  }
}
