/**
 * What a request costs on each way, and each stage of it. The whole is timed without notes, many requests at a time;
 * the stages one by one, as `turnpike explain` does, less what reading the stopwatch costs. Ways take turns in
 * changing order, so that a busy moment does not fall on one of them alone.
 */
import { type Engine, isPromise, makeInjectedRequest } from '@turnpike/core'
import type { BenchClock } from './bench-clock.ts'
import type { StageCost, WayCost } from './bench-report.ts'
import { metricOf, quantile } from './metric.ts'
import { handleOf, type SampleRequest, type Way } from './sample-way.ts'
import { costOfReading, type Stopwatch } from './stopwatch.ts'

export interface MeasureParts {
  readonly engine: Pick<Engine, 'handle' | 'handleOn' | 'explain'>
  readonly clock: Pick<BenchClock, 'moveOn'>
  readonly stopwatch: Stopwatch
}

export interface Effort {
  readonly rounds: number
  /** Requests of a round; absent: as many as take `timeMs`. */
  readonly perRound?: number
  /** Milliseconds of each round and way. */
  readonly timeMs: number
}

/** A way that is ready: how it was answered, and how far time moves at each request so that no limit refuses it. */
interface ReadyWay extends Way {
  readonly status: number
  readonly stepMs: number
  readonly requests: number
  readonly totals: number[]
  readonly stages: Map<string, { readonly phase: string; readonly samples: number[] }>
}

/** Milliseconds: none, then doubled from 1 to over an hour. The least that will do, since time makes work of its own. */
const steps = [0, ...Array.from({ length: 23 }, (_, i) => 2 ** i)]
const tries = 200
/** For all ways together, as far as rounds need no more: a thousand APIs get their share of it. */
const mostMs = 60_000
/** Of the time of a round. */
const warmUpFactor = 8

export async function measureWays(
  ways: readonly Way[],
  parts: MeasureParts,
  effort: Effort,
  tell: (text: string) => void,
): Promise<WayCost[]> {
  const ready: ReadyWay[] = []
  const fair = { ...effort, timeMs: Math.min(effort.timeMs, mostMs / (ways.length * (effort.rounds + warmUpFactor))) }
  for (const way of ways) ready.push(await prepare(way, parts, fair))
  if (ways.length > 0) tell(`warmed up ${ways.length} ways`)
  for (let round = 0; round < effort.rounds; round++) {
    const turn = round % 2 === 0 ? ready : ready.toReversed()
    for (const way of turn) {
      way.totals.push(await timeRequests(way, parts, way.requests))
      await timeStages(way, parts, Math.max(5, way.requests >> 3))
    }
    tell(`requests: round ${round + 1} of ${effort.rounds}`)
  }
  return ready.map(({ name, request, status, totals, stages }) => ({
    name,
    request: `${request.method} ${request.url}`,
    status,
    total: metricOf(totals),
    stages: [...stages].map(([stage, { phase, samples }]): StageCost => {
      return { stage, phase, cost: metricOf(samples) }
    }),
  }))
}

/** Warms up, finds the step of time, and how many requests fill a round. */
async function prepare(way: Way, parts: MeasureParts, effort: Effort): Promise<ReadyWay> {
  const { answer } = await parts.engine.explain(
    makeRequest(way.request),
    false,
    parts.stopwatch.nowMicros,
    way.api.port,
  )
  const stepMs = await findStep(way, parts)
  const blank = { ...way, status: answer.status, stepMs, requests: 0, totals: [], stages: new Map() }
  if (effort.perRound !== undefined) return { ...blank, requests: effort.perRound }
  const micros = await warmUp(blank, parts, effort.timeMs * warmUpFactor * 1000)
  const requests = Math.min(100_000, Math.max(tries, Math.round((effort.timeMs * 1000) / Math.max(micros, 0.01))))
  return { ...blank, requests }
}

/** Until so much CPU time is spent; what a request cost in the end. Cold code costs many times what it will. */
async function warmUp(way: ReadyWay, parts: MeasureParts, cpuMicros: number): Promise<number> {
  let micros = 0
  for (let spent = 0; spent < cpuMicros; spent += micros * tries) {
    micros = Math.max(0.01, await timeRequests(way, parts, tries))
  }
  await timeStages(way, parts, tries)
  way.stages.clear()
  return micros
}

/** The least step with which no limit refuses; the last one where each does. */
async function findStep(way: Way, { engine, clock }: MeasureParts): Promise<number> {
  const handle = handleOf(engine, way)
  for (const stepMs of steps) {
    let refused = false
    for (let i = 0; i < tries && !refused; i++) {
      clock.moveOn(stepMs)
      refused = (await handle(makeRequest(way.request))).status === 429
    }
    if (!refused) return stepMs
  }
  return steps.at(-1) ?? 0
}

/** Microseconds of CPU time of a request, from `count` of them, one after the other; collecting garbage included. */
async function timeRequests(way: Pick<ReadyWay, 'api' | 'request' | 'stepMs'>, parts: MeasureParts, count: number) {
  const { clock, stopwatch } = parts
  const handle = handleOf(parts.engine, way)
  // A body can be read once; without one the same object serves all.
  const requests = Array.from({ length: way.request.body === undefined ? 1 : count }, () => makeRequest(way.request))
  // What others' time has made lapse, such as a password that was checked, is not this sample's to pay.
  for (let i = 0; i < 3; i++) await handle(makeRequest(way.request))
  const startedAt = stopwatch.cpuMicros()
  for (let i = 0; i < count; i++) {
    if (way.stepMs > 0) clock.moveOn(way.stepMs)
    const answer = handle(requests[i % requests.length] as (typeof requests)[number])
    if (isPromise(answer)) await answer
  }
  return (stopwatch.cpuMicros() - startedAt) / count
}

async function timeStages(way: ReadyWay, { engine, clock, stopwatch }: MeasureParts, count: number): Promise<void> {
  const reading = costOfReading(stopwatch)
  const seen = new Map<string, number[]>()
  for (let i = 0; i < count; i++) {
    clock.moveOn(way.stepMs)
    const { stages } = await engine.explain(makeRequest(way.request), false, stopwatch.nowMicros, way.api.port)
    for (const { stage, phase, micros } of stages) {
      if (!way.stages.has(stage)) way.stages.set(stage, { phase, samples: [] })
      const samples = seen.get(stage) ?? []
      samples.push(Math.max(0, micros - reading))
      seen.set(stage, samples)
    }
  }
  for (const [stage, samples] of seen) {
    way.stages.get(stage)?.samples.push(
      quantile(
        samples.toSorted((a, b) => a - b),
        0.5,
      ),
    )
  }
}

export function makeRequest({ method, url, headers, body }: SampleRequest) {
  return makeInjectedRequest({ method, url, headers, ...(body === undefined ? {} : { body }) })
}
