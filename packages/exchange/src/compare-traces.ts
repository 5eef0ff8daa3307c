/**
 * Sends the same traces to two gateways and reports every kind of difference in their responses, each with the shortest
 * trace that shows it. Each trace gets freshly opened gateways, and their counters must be empty.
 */
import { type Compare, type CompareOptions, type Difference, makeCompare } from './compare-responses.ts'
import type { ClientRequest, ClientResponse, Send, TraceStep } from './exchange.ts'
import { shrinkTrace } from './shrink-trace.ts'

export interface NamedTrace {
  /** Identifies the trace in the report. */
  readonly id: string
  readonly trace: readonly TraceStep[]
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

export interface TraceRun extends CompareOptions {
  /** Time limit in ms. Half of it is for traces if differences must be shrunk. Default: none. */
  readonly maxMs?: number
  /** Called after each trace and each step of shrinking. */
  onProgress?(progress: DifferProgress): void
}

export interface DifferProgress {
  readonly doing: 'compares' | 'shrinks'
  readonly traces: number
  readonly requests: number
  /** Number of kinds of differences. */
  readonly found: number
}

/** One kind of difference with its first example: two statuses, a header that differs or is missing, or a body. */
export interface FoundDifference extends Difference {
  /** In how many responses it was found. */
  readonly count: number
  /** The shortest trace that shows it. The difference is in the response to its last request. */
  readonly trace: readonly TraceStep[]
  /** False if the first trace did not show the difference when it was repeated. */
  readonly isRepeatable: boolean
  /** The `id` of the first trace that shows it. */
  readonly traceId: string
}

export interface TraceReport {
  readonly same: boolean
  readonly traces: number
  readonly requests: number
  /** Sorted by the order in which they were found. */
  readonly differences: readonly FoundDifference[]
  /** True if the time limit ended the run before all traces were sent. */
  readonly isCutShort: boolean
}

/** Differences of one kind before they are shrunk. */
interface Sighting {
  readonly difference: Difference
  readonly trace: readonly TraceStep[]
  readonly traceId: string
  count: number
}

/** Sends all traces and reports all kinds of differences. Throws a `TypeError` for an invalid mask. */
export async function compareTraces(
  left: ComparedGateway,
  right: ComparedGateway,
  traces: readonly NamedTrace[],
  run: TraceRun = {},
): Promise<TraceReport> {
  const compare = makeCompare(run)
  const startedAt = performance.now()
  const isOver = (share: number) => run.maxMs !== undefined && performance.now() - startedAt > run.maxMs * share
  const sightings = new Map<string, Sighting>()
  let tried = 0
  let requests = 0
  const reportProgress = (doing: DifferProgress['doing']) =>
    run.onProgress?.({ doing, traces: tried, requests, found: sightings.size })
  for (const { trace, id } of traces) {
    if (isOver(sightings.size > 0 ? 0.5 : 1)) break
    for (const { step, difference } of await differencesOn(left, right, trace, compare)) {
      const known = sightings.get(kindOf(difference))
      if (known === undefined) {
        sightings.set(kindOf(difference), { difference, trace: trace.slice(0, step + 1), traceId: id, count: 1 })
      } else known.count += 1
    }
    tried += 1
    requests += trace.length
    reportProgress('compares')
  }
  const differences: FoundDifference[] = []
  for (const sighting of sightings.values()) {
    const shows = async (trace: readonly TraceStep[]) => {
      requests += trace.length
      reportProgress('shrinks')
      return showsAtEnd(left, right, trace, compare, sighting.difference)
    }
    const { trace, isRepeatable } = await shrinkTrace(sighting.trace, shows, () => isOver(1))
    differences.push({ ...sighting.difference, count: sighting.count, trace, isRepeatable, traceId: sighting.traceId })
  }
  return { same: sightings.size === 0, traces: tried, requests, differences, isCutShort: tried < traces.length }
}

/** Identifies a kind of difference. Values of headers and bodies differ in too many ways to be kinds of their own. */
function kindOf({ part, name, left, right }: Difference): string {
  if (part === 'status') return `status ${left} ${right}`
  return `${part} ${name} ${left === undefined} ${right === undefined}`
}

async function showsAtEnd(
  left: ComparedGateway,
  right: ComparedGateway,
  trace: readonly TraceStep[],
  compare: Compare,
  difference: Difference,
): Promise<boolean> {
  const found = await differencesOn(left, right, trace, compare)
  return found.some((one) => one.step === trace.length - 1 && kindOf(one.difference) === kindOf(difference))
}

/** Sends one trace to both gateways and returns all differences with the index of their step. */
export async function differencesOn(
  left: ComparedGateway,
  right: ComparedGateway,
  trace: readonly TraceStep[],
  compare: Compare,
): Promise<readonly { readonly step: number; readonly difference: Difference }[]> {
  const one = await left.open()
  const other = await right.open()
  const found: { step: number; difference: Difference }[] = []
  try {
    for (const [step, { waitMs, request }] of trace.entries()) {
      if (waitMs > 0) await Promise.all([one.pass?.(waitMs), other.pass?.(waitMs)])
      const [a, b] = await Promise.all([responseOf(one, request), responseOf(other, request)])
      for (const difference of compareResults(a, b, compare)) found.push({ step, difference })
    }
    return found
  } finally {
    await one.close?.()
    await other.close?.()
  }
}

const responseOf = (gateway: OpenGateway, request: ClientRequest): Promise<ClientResponse | string> =>
  gateway.send(request).catch((cause: unknown) => `no response: ${(cause as Error)?.message ?? cause}`)

/** Two requests without a response are alike, also with different errors. */
function compareResults(left: ClientResponse | string, right: ClientResponse | string, compare: Compare) {
  if (typeof left !== 'string' && typeof right !== 'string') return compare(left, right)
  if (typeof left === typeof right) return []
  const text = (result: ClientResponse | string) => (typeof result === 'string' ? result : `status ${result.status}`)
  return [{ part: 'response' as const, name: '', left: text(left), right: text(right) }]
}
