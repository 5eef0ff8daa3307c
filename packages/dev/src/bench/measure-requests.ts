/**
 * Measures the cost of a request, in total and for each stage. The total is measured without tracing over many
 * requests; stages are measured one by one, as `turnpike explain` does, less the cost of reading the stopwatch.
 * Requests take turns in changing order, so that a busy moment does not affect only one of them.
 */
import { type Engine, makeInjectedRequest } from '@turnpike/core/engine'
import { isPromise } from '@turnpike/core/lib'
import { count } from 'turnpike/embedding'
import type { Calibration } from '../measurement/calibration.ts'
import { collectPercentiles, medianOf, metricOf, type PercentileRounds } from '../measurement/metric.ts'
import type { BenchClock } from './bench-clock.ts'
import type { RequestCost, StageCost } from './bench-report.ts'
import { type BenchTarget, handleOf, type SampleRequest } from './sample-requests.ts'
import { costOfReading, type Stopwatch } from './stopwatch.ts'

export interface MeasureServices {
  readonly engine: Pick<Engine, 'handle' | 'handleOn' | 'explain'>
  readonly clock: Pick<BenchClock, 'moveOn'>
  readonly stopwatch: Stopwatch
  readonly calibration: Calibration
}

export interface Effort {
  readonly rounds: number
  /** Requests of a round; if absent, as many as fit in `timeMs`. */
  readonly perRound?: number
  /** Milliseconds of each round for each request. */
  readonly timeMs: number
}

/**
 * A request that is ready to be measured, with its response status and the time step between requests that keeps it
 * below every rate limit.
 */
interface ReadyTarget extends BenchTarget {
  readonly status: number
  readonly stepMs: number
  readonly requests: number
  readonly totals: number[]
  readonly latency: PercentileRounds
  readonly stages: Map<string, { readonly phase: string; readonly samples: number[] }>
}

/**
 * Time steps to try in milliseconds: 0, then doubled from 1 to over an hour. The smallest sufficient step is used,
 * because advancing the clock causes work of its own.
 */
const steps = [0, ...Array.from({ length: 23 }, (_, i) => 2 ** i)]
const tries = 200
/** Requests of a round whose duration is measured one by one. */
const maxTimed = 1000
/** Maximum milliseconds for all requests together; with many APIs each gets a share. */
const maxMs = 60_000
/** Share of the time of a round. */
const warmUpFactor = 8

export async function measureRequests(
  targets: readonly BenchTarget[],
  services: MeasureServices,
  effort: Effort,
  log: (text: string) => void,
): Promise<RequestCost[]> {
  const ready: ReadyTarget[] = []
  const fair = { ...effort, timeMs: Math.min(effort.timeMs, maxMs / (targets.length * (effort.rounds + warmUpFactor))) }
  for (const target of targets) ready.push(await prepare(target, services, fair))
  if (targets.length > 0) log(`warmed up ${count(targets.length, 'request')}`)
  for (let round = 0; round < effort.rounds; round++) {
    services.calibration.run()
    const turn = round % 2 === 0 ? ready : ready.toReversed()
    for (const target of turn) {
      target.totals.push(await timeRequests(target, services, target.requests))
      await timeStages(target, services, Math.max(5, target.requests >> 3))
      target.latency.add(await timeEach(target, services, Math.min(maxTimed, target.requests)))
    }
    log(`requests: round ${round + 1} of ${effort.rounds}`)
  }
  return ready.map(({ name, api, version, request, status, totals, latency, stages }) => ({
    api: api.id,
    version,
    name,
    request: requestLine(request),
    status,
    total: metricOf(totals),
    latency: latency.read(),
    stages: [...stages].map(([stage, { phase, samples }]): StageCost => {
      return { stage, phase, cost: metricOf(samples) }
    }),
  }))
}

/** Warms up, finds the time step, and determines how many requests fill a round. */
async function prepare(target: BenchTarget, services: MeasureServices, effort: Effort): Promise<ReadyTarget> {
  const { response } = await services.engine.explain(
    makeRequest(target.request),
    false,
    services.stopwatch.nowMicros,
    target.api.port,
  )
  const stepMs = await findStep(target, services)
  const blank = {
    ...target,
    status: response.status,
    stepMs,
    requests: 0,
    totals: [],
    latency: collectPercentiles(),
    stages: new Map(),
  }
  if (effort.perRound !== undefined) return { ...blank, requests: effort.perRound }
  const micros = await warmUp(blank, services, effort.timeMs * warmUpFactor * 1000)
  const requests = Math.min(100_000, Math.max(tries, Math.round((effort.timeMs * 1000) / Math.max(micros, 0.01))))
  return { ...blank, requests }
}

/**
 * Runs until the given CPU time is used and returns the cost of the last requests. Code that is not yet compiled
 * costs many times more.
 */
async function warmUp(target: ReadyTarget, services: MeasureServices, cpuMicros: number): Promise<number> {
  let micros = 0
  for (let spent = 0; spent < cpuMicros; spent += micros * tries) {
    micros = Math.max(0.01, await timeRequests(target, services, tries))
  }
  await timeStages(target, services, tries)
  target.stages.clear()
  return micros
}

/**
 * Returns the smallest time step at which no limit rejects the request, or the last one if a limit rejects at every
 * step.
 */
async function findStep(target: BenchTarget, { engine, clock }: MeasureServices): Promise<number> {
  const handle = handleOf(engine, target)
  for (const stepMs of steps) {
    let rejected = false
    for (let i = 0; i < tries && !rejected; i++) {
      clock.moveOn(stepMs)
      rejected = (await handle(makeRequest(target.request))).status === 429
    }
    if (!rejected) return stepMs
  }
  return steps.at(-1) ?? 0
}

/**
 * Returns the CPU time of a request in microseconds, measured over `count` sequential requests, garbage collection
 * included.
 */
async function timeRequests(
  target: Pick<ReadyTarget, 'api' | 'request' | 'stepMs'>,
  services: MeasureServices,
  count: number,
) {
  const { clock, stopwatch } = services
  const handle = handleOf(services.engine, target)
  // A body can be read only once; without a body all requests share one object.
  const requests = Array.from({ length: target.request.body === undefined ? 1 : count }, () =>
    makeRequest(target.request),
  )
  // These requests refresh entries that expired during other samples, such as a checked password. They are not
  // measured.
  for (let i = 0; i < 3; i++) await handle(makeRequest(target.request))
  const startedAt = stopwatch.cpuMicros()
  for (let i = 0; i < count; i++) {
    if (target.stepMs > 0) clock.moveOn(target.stepMs)
    const answer = handle(requests[i % requests.length] as (typeof requests)[number])
    if (isPromise(answer)) await answer
  }
  return (stopwatch.cpuMicros() - startedAt) / count
}

/** Returns the wall time of single requests in microseconds. */
async function timeEach(
  target: ReadyTarget,
  { engine, clock, stopwatch }: MeasureServices,
  count: number,
): Promise<number[]> {
  const handle = handleOf(engine, target)
  const reading = costOfReading(stopwatch)
  const durations: number[] = []
  for (let i = 0; i < count; i++) {
    if (target.stepMs > 0) clock.moveOn(target.stepMs)
    const request = makeRequest(target.request)
    const startedAt = stopwatch.nowMicros()
    const answer = handle(request)
    if (isPromise(answer)) await answer
    durations.push(Math.max(0, stopwatch.nowMicros() - startedAt - reading))
  }
  return durations
}

async function timeStages(
  target: ReadyTarget,
  { engine, clock, stopwatch }: MeasureServices,
  count: number,
): Promise<void> {
  const reading = costOfReading(stopwatch)
  const seen = new Map<string, number[]>()
  for (let i = 0; i < count; i++) {
    clock.moveOn(target.stepMs)
    const { stages } = await engine.explain(makeRequest(target.request), false, stopwatch.nowMicros, target.api.port)
    for (const { stage, phase, micros } of stages) {
      if (!target.stages.has(stage)) target.stages.set(stage, { phase, samples: [] })
      const samples = seen.get(stage) ?? []
      samples.push(Math.max(0, micros - reading))
      seen.set(stage, samples)
    }
  }
  for (const [stage, samples] of seen) target.stages.get(stage)?.samples.push(medianOf(samples))
}

export function makeRequest({ method, url, headers, body }: SampleRequest) {
  return makeInjectedRequest({ method, url, headers, ...(body === undefined ? {} : { body }) })
}

export const requestLine = ({ method, url }: SampleRequest) => `${method} ${url}`
