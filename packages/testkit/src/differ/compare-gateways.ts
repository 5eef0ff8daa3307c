/** Compares two gateways on generated traces. */
import {
  type ComparedGateway,
  compareTraces,
  describeReport,
  type TraceReport,
  type TraceRun,
  type TraceStep,
} from '@turnpike/exchange'
import fc from 'fast-check'

export interface DifferRun extends TraceRun {
  /** Number of generated traces. Default 100; 0 sends only `first`. */
  readonly traces?: number
  /** Traces that are sent before the generated ones. Default: none. */
  readonly first?: readonly (readonly TraceStep[])[]
  /** Default: random. */
  readonly seed?: number
  /** The `traceId` of a difference, to repeat its trace alone. */
  readonly path?: string
}

export interface DifferReport extends TraceReport {
  readonly seed: number
}

/** Sends all traces and reports all kinds of differences. Throws a `TypeError` for an invalid mask. */
export async function compareGateways(
  left: ComparedGateway,
  right: ComparedGateway,
  traces: fc.Arbitrary<TraceStep[]>,
  run: DifferRun = {},
): Promise<DifferReport> {
  const seed = run.seed ?? Math.floor(Math.random() * 0x7fff_ffff)
  return { ...(await compareTraces(left, right, tracesOf(traces, run, seed), run)), seed }
}

/** Formats a report as lines. `left` and `right` are the names of the gateways. */
export function showDifferences(report: DifferReport, left: string, right: string): string {
  const repeat = ({ traceId }: { readonly traceId: string }) => [`repeat with seed ${report.seed}, path "${traceId}"`]
  return describeReport(report, { left, right, more: repeat })
}

/** The traces of a run. The id of a generated trace is its number, that of a trace of `first` is `first:` and its number. */
function tracesOf(traces: fc.Arbitrary<TraceStep[]>, run: DifferRun, seed: number) {
  const first = (run.first ?? []).map((trace, index) => ({ trace, id: `first:${index}` }))
  if (run.path?.startsWith('first:') === true) return first.filter(({ id }) => id === run.path)
  const count = run.path === undefined ? (run.traces ?? 100) : Number(run.path) + 1
  const drawn = count === 0 ? [] : fc.sample(traces, { numRuns: count, seed })
  const numbered = drawn.map((trace, index) => ({ trace: trace as readonly TraceStep[], id: String(index) }))
  return run.path === undefined ? [...first, ...numbered] : numbered.slice(-1)
}
