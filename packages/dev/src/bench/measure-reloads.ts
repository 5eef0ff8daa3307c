/**
 * Measures reloads of the user's files and the latency of requests during them. Requests are due at a constant rate,
 * independent of earlier responses, and latency counts from the time when a request was due. A stall therefore shows
 * in every request that it delays.
 */
import type { Engine } from '@turnpike/core/engine'
import type { Calibration } from '../measurement/calibration.ts'
import { collectPercentiles, metricOf } from '../measurement/metric.ts'
import type { BenchGateway } from './bench-gateway.ts'
import type { ReloadCost, ReloadTimeline } from './bench-report.ts'
import { makeRequest } from './measure-requests.ts'
import { longestWait } from './merge-reports.ts'
import { type BenchTarget, handleOf } from './sample-requests.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface ReloadEffort {
  readonly rounds: number
  /** Minimum number of requests that are due in each round; half of them are due before the reload begins. */
  readonly requests: number
  /** Interval between requests in microseconds. */
  readonly everyMicros: number
}

/** Points of a timeline in the report. */
const maxTimelinePoints = 400

type ReloadServices = Pick<BenchGateway, 'engine' | 'files' | 'touch'> & {
  readonly stopwatch: Stopwatch
  readonly calibration: Calibration
}

export async function measureReloads(
  target: BenchTarget | undefined,
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
  const calm = collectPercentiles()
  const during = kinds.map(() => collectPercentiles())
  const worst = kinds.map((): ReloadTimeline => ({ reloadMs: 0, requests: [] }))
  await services.engine.reload()
  for (let round = 0; round < effort.rounds; round++) {
    services.calibration.run()
    calm.add((await play(target, services, effort, undefined)).requests.map(([, waitedMs]) => waitedMs))
    const turn = round % 2 === 0 ? [...kinds.entries()] : [...kinds.entries()].reverse()
    for (const [i, { touched }] of turn) {
      for (const file of touched) touch(file)
      const played = await play(target, services, effort, () => services.engine.reload())
      during[i]?.add(played.requests.map(([, waitedMs]) => waitedMs))
      durations[i]?.push(played.reloadMs)
      if (longestWait(played) >= longestWait(worst[i] as ReloadTimeline)) worst[i] = played
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
    worst: thin(worst[i] as ReloadTimeline),
  }))
}

/**
 * Sends requests at a constant rate and returns how long each took. The reload begins after half of the requests, and
 * the function waits for it. Without a reload, times count from the middle of the requests.
 */
async function play(
  target: BenchTarget | undefined,
  { engine, stopwatch }: { readonly engine: Pick<Engine, 'handle' | 'handleOn'>; readonly stopwatch: Stopwatch },
  { requests, everyMicros }: ReloadEffort,
  reload: (() => Promise<unknown>) | undefined,
): Promise<ReloadTimeline> {
  const waits: { readonly due: number; readonly micros: number }[] = []
  const startedAt = stopwatch.nowMicros()
  let reloadAt = startedAt + (requests * everyMicros) / 2
  let reloadMs = 0
  let reloading: Promise<void> | undefined
  let reloaded = reload === undefined
  const timedReload = async (run: () => Promise<unknown>) => {
    reloadAt = stopwatch.nowMicros()
    try {
      await run()
    } finally {
      reloadMs = (stopwatch.nowMicros() - reloadAt) / 1000
      reloaded = true
    }
  }
  const send = async (due: number) => {
    if (target !== undefined) await handleOf(engine, target)(makeRequest(target.request))
    waits.push({ due, micros: stopwatch.nowMicros() - due })
  }
  const open: Promise<void>[] = []
  for (let sent = 0; sent < requests || !reloaded; ) {
    const due = startedAt + sent * everyMicros
    if (stopwatch.nowMicros() >= due) {
      sent++
      open.push(send(due))
    }
    if (reloading === undefined && reload !== undefined && sent * 2 >= requests) reloading = timedReload(reload)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  await reloading
  await Promise.all(open)
  return { reloadMs, requests: waits.map(({ due, micros }) => [(due - reloadAt) / 1000, micros / 1000] as const) }
}

/** Keeps the longest wait of each span of time, so that a report stays small after a long reload. */
function thin({ reloadMs, requests }: ReloadTimeline): ReloadTimeline {
  const span = Math.ceil(requests.length / maxTimelinePoints)
  const inOrder = requests.toSorted(([a], [b]) => a - b)
  const kept = Array.from({ length: Math.ceil(inOrder.length / span) || 0 }, (_, i) =>
    inOrder.slice(i * span, (i + 1) * span).reduce((a, b) => (b[1] > a[1] ? b : a)),
  )
  const brief = (ms: number) => Math.round(ms * 1000) / 1000
  return { reloadMs: brief(reloadMs), requests: kept.map(([dueMs, waitedMs]) => [brief(dueMs), brief(waitedMs)]) }
}
