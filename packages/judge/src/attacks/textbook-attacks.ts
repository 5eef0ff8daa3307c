/** The textbook attacks that consist of traces of one client. */
import type { RateLimit } from '../models/model.ts'
import type { Step, Trace } from '../trace/trace-and-history.ts'
import { crowdOf, knownEdge, overflowOf, type TraceAttack } from './attack.ts'

const inOrder = (atMs: number, count: number): Step => ({ atMs: Math.round(atMs), count, together: false })
const atOnce = (atMs: number, count: number): Step => ({ atMs: Math.round(atMs), count, together: true })

const crowd: TraceAttack = {
  name: 'crowd',
  title: 'many concurrent requests of a fresh client',
  traces({ limit }) {
    const count = crowdOf(limit)
    const third = limit.periodMs / 3
    // Several phases of the period, so that the edge of a window excuses none but one.
    return [0, 1, 2]
      .map((i) => ({ steps: [atOnce(0, count)], startPhaseMs: (i + 0.2) * third }))
      .map(withoutLongWait(limit))
  },
}

/** A start at a phase takes up to a period. */
function withoutLongWait({ periodMs }: RateLimit): (trace: Trace) => Trace {
  return (trace) => (periodMs > 10_000 ? { steps: trace.steps } : trace)
}

const crowdAtRenewal: TraceAttack = {
  name: 'crowd-at-renewal',
  title: 'many concurrent requests when the limit renews',
  traces(context) {
    const { limit } = context
    const count = crowdOf(limit)
    const edge = knownEdge(context)
    const after = [3, 0.4 * limit.periodMs].map((ms) => limit.periodMs + ms)
    const fromFirst = after.map((at) => ({ steps: [inOrder(0, limit.count), atOnce(at, count)] }))
    if (edge === undefined) return fromFirst
    const start = { startPhaseMs: edge.max + 0.5 * limit.periodMs }
    return [...fromFirst, { ...start, steps: [inOrder(0, limit.count), atOnce(0.5 * limit.periodMs + 3, count)] }]
  },
}

const edgePair: TraceAttack = {
  name: 'edge-pair',
  title: 'twice the limit round the edge of a window',
  traces(context) {
    const { limit } = context
    const { count, periodMs } = limit
    const margin = Math.min(periodMs / 8, Math.max(40, 3 * count, 0.02 * periodMs))
    const edge = knownEdge(context)
    const fromFirst: Trace = {
      steps: [inOrder(0, 1), inOrder(periodMs - margin, Math.max(1, count - 1)), inOrder(periodMs + margin, count + 1)],
    }
    if (edge === undefined) return [fromFirst]
    const start = { startPhaseMs: edge.min - margin }
    return [fromFirst, { ...start, steps: [inOrder(0, count), inOrder(margin + (edge.max - edge.min) + 5, count + 1)] }]
  },
}

const restThenBurst: TraceAttack = {
  name: 'rest-then-burst',
  title: 'a burst after a rest that refills only a part',
  traces({ limit }) {
    const { count, periodMs } = limit
    const overflow = overflowOf(limit)
    // Some gateways forget a bucket a second or two after its next token, long before it is full.
    const rests = [0.25 * periodMs, 0.6 * periodMs, periodMs / count + 2200, 1.02 * periodMs, 2.1 * periodMs]
    return rests
      .filter((rest) => rest <= 2.2 * periodMs)
      .map((rest) => ({ steps: [inOrder(0, overflow), inOrder(rest, overflow)] }))
  },
}

const pace: TraceAttack = {
  name: 'pace',
  title: 'one request after the other, just below the rate',
  traces({ limit, models, isVirtual = false }) {
    const { count, periodMs, burst = count } = limit
    const spacing = periodMs / count
    // A client at this pace never exceeds the limit. The margin is the precision of clocks, or 2 % of the rate.
    const margins = [...new Set([Math.max(8, 0.02 * spacing), Math.max(8, 0.003 * spacing)])].filter(
      (margin) => margin <= spacing,
    )
    const steady = margins.map((margin) => ({
      steps: Array.from({ length: Math.min(60, Math.max(2, Math.ceil(1.3 * count))) }, (_, i) =>
        inOrder(i * (spacing + margin), 1),
      ),
    }))
    // No limiter rejects this one, whatever it rounds; it takes as many requests as the limit has to show that one does.
    const most = isVirtual ? 1.3 * count + 2 : Math.min(60, 1.3 * count + 2)
    steady.push({ steps: Array.from({ length: Math.ceil(most) }, (_, i) => inOrder(i * 1.3 * (spacing + 5), 1)) })
    if (!models.some(({ kind }) => kind === 'token-bucket')) return steady
    // An empty bucket has its next token after one distance. Several requests, because timers of a busy machine are late.
    const after = [1, 2, 3, 4, 5].map((i) => i * Math.max(6, 0.001 * spacing))
    const emptied = { steps: [inOrder(0, burst), ...after.map((margin) => inOrder(spacing + margin, 1))] }
    return [emptied, emptied, emptied, emptied, ...steady]
  },
}

const joint = { name: 'joint', title: 'requests at the rate of the quickest limit, until the slowest one is used up' }

/** Of several limits at once, a slow one is used up only by requests that the quick ones admit. */
export function jointJobs(limits: readonly RateLimit[]): readonly { attack: typeof joint; trace: Trace }[] {
  if (limits.length < 2) return []
  const gap = Math.min(...limits.map(({ count, periodMs }) => periodMs / count)) + 8
  const longestMs = Math.max(...limits.map(({ periodMs }) => periodMs))
  const count = Math.min(1000, Math.ceil((1.2 * longestMs) / gap))
  return [{ attack: joint, trace: { steps: Array.from({ length: count }, (_, i) => inOrder(i * gap, 1)) } }]
}

const retries: TraceAttack = {
  name: 'retries',
  title: 'a client that uses up its limit and then retries at twice the rate',
  traces({ limit, isVirtual = false }) {
    const { count, periodMs } = limit
    // More often makes no difference to a limiter, and takes too many requests.
    const gap = Math.max(periodMs / count / 2, periodMs / (isVirtual ? 400 : 40))
    const steps = Array.from({ length: Math.ceil((2.4 * periodMs) / gap) }, (_, i) => inOrder((i + 1) * gap, 1))
    return [{ steps: [inOrder(0, overflowOf(limit)), ...steps] }]
  },
}

/** Those that need exact times first: crowds slow down what runs beside them. */
export const traceAttacks: readonly TraceAttack[] = [pace, edgePair, restThenBurst, retries, crowd, crowdAtRenewal]
