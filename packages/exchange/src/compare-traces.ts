/**
 * Sends the same traces to two gateways and reports every kind of difference in their responses, each with the shortest
 * trace that shows it. Each trace gets freshly opened gateways, and their counters must be empty.
 */

import type { ClientRequest, ClientResponse, Send, TraceStep } from './client-messages.ts'
import { type Compare, type CompareOptions, type Difference, makeCompare } from './compare-responses.ts'
import { shrinkDifference } from './shrink-difference.ts'

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

/** Thrown by `open` or `send` to end a run as its time limit does. The message is the reason. */
export class RunEnded extends Error {}

/** A response in which a difference was seen. */
export interface Sighting {
  readonly traceId: string
  /** The trace up to the request whose responses differ. */
  readonly trace: readonly TraceStep[]
  readonly difference: Difference
}

/** One kind of difference with its first example: two statuses, a header that differs or is missing, or a body. */
export interface FoundDifference extends Difference {
  /** In how many responses it was found. */
  readonly count: number
  /** All responses in which it was found, the example first. */
  readonly sightings: readonly Sighting[]
  /** The shortest trace that shows it. The difference is in the response to its last request. */
  readonly trace: readonly TraceStep[]
  /** False if three repetitions of the first trace did not show the difference. */
  readonly isRepeatable: boolean
  /** True if a repetition of the first trace showed the difference with other values. */
  readonly isVarying: boolean
  /** The `id` of the first trace that shows it. */
  readonly traceId: string
}

export interface TraceReport {
  readonly same: boolean
  readonly traces: number
  readonly requests: number
  /** Sorted by the order in which they were found. */
  readonly differences: readonly FoundDifference[]
  /** True if the run ended before all traces were sent. */
  readonly isCutShort: boolean
  /** Why the run ended early, for example "the time limit". */
  readonly endedBy?: string
}

/** Sends all traces and reports all kinds of differences. Throws a `TypeError` for an invalid mask. */
export function compareTraces(
  left: ComparedGateway,
  right: ComparedGateway,
  traces: readonly NamedTrace[],
  run: TraceRun = {},
): Promise<TraceReport> {
  return new TraceComparison(left, right, run).run(traces)
}

class TraceComparison {
  private readonly left: ComparedGateway
  private readonly right: ComparedGateway
  private readonly options: TraceRun
  private readonly compare: Compare
  private readonly startedAt = performance.now()
  /** By kind. */
  private readonly sightings = new Map<string, Sighting[]>()
  private tried = 0
  private requests = 0
  private endedBy: string | undefined

  constructor(left: ComparedGateway, right: ComparedGateway, options: TraceRun) {
    this.left = left
    this.right = right
    this.options = options
    this.compare = makeCompare(options)
  }

  async run(traces: readonly NamedTrace[]): Promise<TraceReport> {
    for (const { trace, id } of traces) {
      if (this.isOver(this.sightings.size > 0 ? 0.5 : 1)) break
      await this.send(trace, id)
    }
    const isCutShort = this.tried < traces.length
    const differences: FoundDifference[] = []
    for (const sightings of this.sightings.values()) differences.push(await this.shrink(sightings))
    return {
      same: differences.length === 0,
      traces: this.tried,
      requests: this.requests,
      differences,
      isCutShort,
      ...(isCutShort && { endedBy: this.endedBy ?? 'the time limit' }),
    }
  }

  private isOver(share: number): boolean {
    const { maxMs } = this.options
    return this.endedBy !== undefined || (maxMs !== undefined && performance.now() - this.startedAt > maxMs * share)
  }

  private reportProgress(doing: DifferProgress['doing']): void {
    this.options.onProgress?.({ doing, traces: this.tried, requests: this.requests, found: this.sightings.size })
  }

  private async send(trace: readonly TraceStep[], id: string): Promise<void> {
    const found = await this.differencesOn(trace)
    if (this.endedBy !== undefined) return
    for (const { step, difference } of found) {
      const kind = kindOf(difference)
      const sighting = { traceId: id, trace: trace.slice(0, step + 1), difference }
      this.sightings.set(kind, [...(this.sightings.get(kind) ?? []), sighting])
    }
    this.tried += 1
    this.requests += trace.length
    this.reportProgress('compares')
  }

  private async differencesOn(trace: readonly TraceStep[]) {
    try {
      return await differencesOn(this.left, this.right, trace, this.compare)
    } catch (cause) {
      if (!(cause instanceof RunEnded)) throw cause
      this.endedBy = cause.message
      return []
    }
  }

  private async shrink(sightings: readonly Sighting[]): Promise<FoundDifference> {
    const [first] = sightings as [Sighting]
    const { difference, traceId } = first
    let isVarying = false
    const shows = async (trace: readonly TraceStep[]) => {
      this.requests += trace.length
      this.reportProgress('shrinks')
      const found = await this.differencesOn(trace)
      const again = found.find((one) => one.step === trace.length - 1 && isSameKind(one.difference, difference))
      if (again === undefined) return false
      const { left, right } = again.difference
      if (trace === first.trace && (left !== difference.left || right !== difference.right)) isVarying = true
      return true
    }
    const { trace, isRepeatable } = await shrinkDifference(first.trace, shows, () => this.isOver(1))
    return { ...difference, count: sightings.length, sightings, trace, isRepeatable, isVarying, traceId }
  }
}

/** Identifies a kind of difference. Values of headers and bodies differ in too many ways to be kinds of their own. */
function kindOf({ part, name, left, right }: Difference): string {
  if (part === 'status') return `status ${left} ${right}`
  return `${part} ${name} ${left === undefined} ${right === undefined}`
}

const isSameKind = (one: Difference, other: Difference) => kindOf(one) === kindOf(other)

/** Sends one trace to both gateways and returns all differences with the index of their step. */
export async function differencesOn(
  left: ComparedGateway,
  right: ComparedGateway,
  trace: readonly TraceStep[],
  compare: Compare,
): Promise<readonly { readonly step: number; readonly difference: Difference }[]> {
  const found: { step: number; difference: Difference }[] = []
  const one = await left.open()
  let other: OpenGateway | undefined
  try {
    other = await right.open()
    for (const [step, { waitMs, request }] of trace.entries()) {
      if (waitMs > 0) await Promise.all([one.pass?.(waitMs), other.pass?.(waitMs)])
      const [a, b] = await Promise.all([responseOf(one, request), responseOf(other, request)])
      for (const difference of compareResults(a, b, compare)) found.push({ step, difference })
    }
    return found
  } finally {
    await one.close?.()
    await other?.close?.()
  }
}

const responseOf = (gateway: OpenGateway, request: ClientRequest): Promise<ClientResponse | string> =>
  gateway.send(request).catch((cause: unknown) => {
    if (cause instanceof RunEnded) throw cause
    return `no response: ${(cause as Error)?.message ?? cause}`
  })

/** Two requests without a response are alike, also with different errors. */
function compareResults(left: ClientResponse | string, right: ClientResponse | string, compare: Compare) {
  if (typeof left !== 'string' && typeof right !== 'string') return compare(left, right)
  if (typeof left === typeof right) return []
  const text = (result: ClientResponse | string) => (typeof result === 'string' ? result : `status ${result.status}`)
  return [{ part: 'response' as const, name: '', left: text(left), right: text(right) }]
}
