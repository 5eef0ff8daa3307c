/**
 * The same trace against two gateways, and the first difference: ours in process and another over HTTP, or two of ours.
 * A trace on which they differ is made as short as it gets. Each trace meets both gateways as they are opened for it,
 * so whoever opens them sees to it that nothing was counted before.
 */
import fc from 'fast-check'
import { type CompareOptions, differenceOf } from '../exchange/compare-responses.ts'
import { type Answered, type Ask, askFor, type Send } from '../exchange/exchange.ts'

/** A step of a trace: a request after a silence. */
export interface TraceStep {
  readonly waitMs: number
  readonly ask: Ask
}

/** A gateway opened for one trace. */
export interface OpenGateway {
  readonly send: Send
  /** Lets time pass. Left out: time does not matter, or passes by itself. */
  pass?(ms: number): void | Promise<void>
  close?(): void | Promise<void>
}

export interface ComparedGateway {
  readonly name: string
  /** With fresh counters, or with names in the trace's requests that have none yet. */
  open(): OpenGateway | Promise<OpenGateway>
}

export interface DifferRun extends CompareOptions {
  /** Traces to try. Default 100. */
  readonly traces?: number
  readonly seed?: number
  /** From a report: goes straight to the trace. */
  readonly path?: string
}

export type DifferReport =
  | { readonly same: true; readonly traces: number }
  | {
      readonly same: false
      /** The shortest trace found on which they differ. */
      readonly trace: readonly TraceStep[]
      /** The step at which they differ, and how. */
      readonly step: number
      readonly difference: string
      readonly seed: number
      readonly path: string
    }

/** Which requests make up a trace. */
export interface TraceParts {
  /** Paths with queries. */
  readonly urls: readonly string[]
  /** Default GET alone. */
  readonly methods?: readonly string[]
  /** Header lines of the clients that ask; default: one without any. */
  readonly clients?: readonly Ask['headers'][]
  readonly bodies?: readonly string[]
  /** Silences between requests. Default: none, 1 ms, around a second, a minute. */
  readonly waitsMs?: readonly number[]
}

/** Draws traces of these parts, with bursts. Plainer parts stand first. */
export function requestTraces(parts: TraceParts, maxLength = 20): fc.Arbitrary<TraceStep[]> {
  const { urls, methods = ['GET'], clients = [[]], bodies, waitsMs = [0, 0, 0, 1, 999, 1000, 1001, 60_000] } = parts
  const body = bodies === undefined ? fc.constant(undefined) : fc.constantFrom(undefined, ...bodies)
  const step = fc
    .record({
      waitMs: fc.constantFrom(...waitsMs),
      url: fc.constantFrom(...urls),
      method: fc.constantFrom(...methods),
      client: fc.constantFrom(...clients),
      body,
      burst: fc.constantFrom(1, 1, 1, 2, 5),
    })
    .map(({ waitMs, url, method, client, body: text, burst }) => {
      const bytes = text === undefined || method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(text)
      const ask = askFor(url, { method, headers: client, body: bytes })
      return Array.from({ length: burst }, (_, i): TraceStep => ({ waitMs: i === 0 ? waitMs : 0, ask }))
    })
  return fc.array(step, { minLength: 1, maxLength }).map((steps) => steps.flat())
}

/** Tries drawn traces until the two differ on one. */
export async function compareGateways(
  left: ComparedGateway,
  right: ComparedGateway,
  traces: fc.Arbitrary<TraceStep[]>,
  run: DifferRun = {},
): Promise<DifferReport> {
  let tried = 0
  const property = fc.asyncProperty(traces, async (trace) => {
    tried += 1
    return (await firstDifference(left, right, trace, run)) === undefined
  })
  const details = await fc.check(property, {
    numRuns: run.traces ?? 100,
    ...(run.seed === undefined ? {} : { seed: run.seed }),
    ...(run.path === undefined ? {} : { path: run.path }),
  })
  if (!details.failed) return { same: true, traces: tried }
  const [trace = []] = details.counterexample ?? []
  const first = await firstDifference(left, right, trace, run)
  const { step = -1, difference = 'they differed once, and no more on the same trace' } = first ?? {}
  return { same: false, trace, step, difference, seed: details.seed, path: details.counterexamplePath ?? '' }
}

/** The first step of one trace that the two answer otherwise. */
export async function firstDifference(
  left: ComparedGateway,
  right: ComparedGateway,
  trace: readonly TraceStep[],
  options: CompareOptions = {},
): Promise<{ readonly step: number; readonly difference: string } | undefined> {
  const one = await left.open()
  const other = await right.open()
  try {
    for (const [step, { waitMs, ask }] of trace.entries()) {
      if (waitMs > 0) await Promise.all([one.pass?.(waitMs), other.pass?.(waitMs)])
      const [a, b] = await Promise.all([answerOf(one, ask), answerOf(other, ask)])
      const difference =
        typeof a === 'string' || typeof b === 'string'
          ? a === b
            ? undefined
            : `${told(a)} and ${told(b)}`
          : differenceOf(a, b, options)
      if (difference !== undefined) return { step, difference }
    }
    return undefined
  } finally {
    await one.close?.()
    await other.close?.()
  }
}

const answerOf = (gateway: OpenGateway, ask: Ask): Promise<Answered | string> =>
  gateway.send(ask).catch(() => 'no answer')
const told = (answer: Answered | string) => (typeof answer === 'string' ? answer : `status ${answer.status}`)

/** A report in lines for a terminal. */
export function showDifference(report: DifferReport, left: string, right: string): string {
  if (report.same) return `${left} and ${right} answer alike (${report.traces} traces)`
  const { trace, step, difference, seed, path } = report
  const lines = trace.slice(0, step + 1).map(({ waitMs, ask }, index) => {
    const wait = waitMs > 0 ? `after ${waitMs} ms ` : ''
    const headers = ask.headers.map(([name, value]) => ` ${name}: ${value}`).join(',')
    return `  ${index}: ${wait}${ask.method} ${ask.url}${headers}`
  })
  return [
    `${left} and ${right} differ at request ${step}: ${difference}`,
    ...lines,
    `  again with seed ${seed}, path "${path}"`,
  ].join('\n')
}
