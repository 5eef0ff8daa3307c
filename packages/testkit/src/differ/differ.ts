/**
 * Sends the same traces to two gateways and reports the first difference in their responses. A trace on which they
 * differ is shrunk. Each trace gets freshly opened gateways, and their counters must be empty.
 */
import fc from 'fast-check'
import { type CompareOptions, differenceOf } from '../exchange/compare-responses.ts'
import { type ClientRequest, type ClientResponse, makeRequest, type Send } from '../exchange/exchange.ts'

/** A step of a trace: a pause, then a request. */
export interface TraceStep {
  readonly waitMs: number
  readonly request: ClientRequest
}

/** A gateway opened for one trace. */
export interface OpenGateway {
  readonly send: Send
  /** Advances the time of the gateway by so many milliseconds. Default: no-op, for gateways that use real time. */
  pass?(ms: number): void | Promise<void>
  close?(): void | Promise<void>
}

export interface ComparedGateway {
  readonly name: string
  /** Opens the gateway with empty counters for the clients of the trace. */
  open(): OpenGateway | Promise<OpenGateway>
}

export interface DifferRun extends CompareOptions {
  /** Number of traces. Default 100. */
  readonly traces?: number
  readonly seed?: number
  /** The path of a report, to repeat its trace directly. */
  readonly path?: string
}

export type DifferReport =
  | { readonly same: true; readonly traces: number }
  | {
      readonly same: false
      /** The shrunk trace on which the gateways differ. */
      readonly trace: readonly TraceStep[]
      /** Index of the step at which they differ. */
      readonly step: number
      readonly difference: string
      readonly seed: number
      readonly path: string
    }

/** The values from which the requests of a trace are drawn. */
export interface TraceChoices {
  /** Paths with queries. */
  readonly urls: readonly string[]
  /** Default: GET only. */
  readonly methods?: readonly string[]
  /** Headers of each client. Default: one client without headers. */
  readonly clients?: readonly ClientRequest['headers'][]
  readonly bodies?: readonly string[]
  /** Pauses between requests in milliseconds. Default: 0, 1, 999, 1000, 1001 and 60,000. */
  readonly waitsMs?: readonly number[]
}

/** Generates traces with bursts. Put simple values first in each list, since shrinking moves towards the front. */
export function requestTraces(parts: TraceChoices, maxLength = 20): fc.Arbitrary<TraceStep[]> {
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
      const request = makeRequest(url, { method, headers: client, body: bytes })
      return Array.from({ length: burst }, (_, i): TraceStep => ({ waitMs: i === 0 ? waitMs : 0, request }))
    })
  return fc.array(step, { minLength: 1, maxLength }).map((steps) => steps.flat())
}

/** Sends generated traces until the gateways differ on one. */
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
  const { step = -1, difference = 'the difference did not occur again on the same trace' } = first ?? {}
  return { same: false, trace, step, difference, seed: details.seed, path: details.counterexamplePath ?? '' }
}

/** Returns the first step of a trace at which the responses differ, or `undefined`. */
export async function firstDifference(
  left: ComparedGateway,
  right: ComparedGateway,
  trace: readonly TraceStep[],
  options: CompareOptions = {},
): Promise<{ readonly step: number; readonly difference: string } | undefined> {
  const one = await left.open()
  const other = await right.open()
  try {
    for (const [step, { waitMs, request }] of trace.entries()) {
      if (waitMs > 0) await Promise.all([one.pass?.(waitMs), other.pass?.(waitMs)])
      const [a, b] = await Promise.all([responseOf(one, request), responseOf(other, request)])
      const difference =
        typeof a === 'string' || typeof b === 'string'
          ? a === b
            ? undefined
            : `${describe(a)} and ${describe(b)}`
          : differenceOf(a, b, options)
      if (difference !== undefined) return { step, difference }
    }
    return undefined
  } finally {
    await one.close?.()
    await other.close?.()
  }
}

const responseOf = (gateway: OpenGateway, request: ClientRequest): Promise<ClientResponse | string> =>
  gateway.send(request).catch(() => 'no response')
const describe = (response: ClientResponse | string) =>
  typeof response === 'string' ? response : `status ${response.status}`

/** Formats a report for a terminal. */
export function showDifference(report: DifferReport, left: string, right: string): string {
  if (report.same) return `${left} and ${right} respond alike (${report.traces} traces)`
  const { trace, step, difference, seed, path } = report
  const lines = trace.slice(0, step + 1).map(({ waitMs, request }, index) => {
    const wait = waitMs > 0 ? `after ${waitMs} ms ` : ''
    const headers = request.headers.map(([name, value]) => ` ${name}: ${value}`).join(',')
    return `  ${index}: ${wait}${request.method} ${request.url}${headers}`
  })
  return [
    `${left} and ${right} differ at request ${step}: ${difference}`,
    ...lines,
    `  repeat with seed ${seed}, path "${path}"`,
  ].join('\n')
}
