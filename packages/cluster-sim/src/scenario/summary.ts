/** Summarises a run: decisions per node and per span of time, and the events between them. */
import type { Exchange, History } from '../run/history.ts'
import { type Plan, storePlace } from '../run/plan.ts'
import { showStep } from '../run/show-plan.ts'

/** Numbers of requests by outcome. */
export interface Outcomes {
  readonly requests: number
  /** Status below 400. */
  readonly admitted: number
  /** Status 4xx. */
  readonly rejected: number
  /** Status 503: the store was unavailable. */
  readonly unavailable: number
  /** Other 5xx. */
  readonly failed: number
  /** The node was down, or crashed before it responded. */
  readonly silent: number
}

export interface NodeRow extends Outcomes {
  /** A node, or `store`. */
  readonly node: string
  /** Messages that the node sent, and how many of them were lost. */
  readonly sent: number
  readonly lost: number
}

export function outcomesOf(exchanges: readonly Exchange[]): Outcomes {
  const count = (fits: (status: number) => boolean) =>
    exchanges.reduce((sum, { status }) => sum + (fits(status) ? 1 : 0), 0)
  return {
    requests: exchanges.length,
    admitted: count((status) => status > 0 && status < 400),
    rejected: count((status) => status >= 400 && status < 500),
    unavailable: count((status) => status === 503),
    failed: count((status) => status >= 500 && status !== 503),
    silent: count((status) => status === 0),
  }
}

/** One row per node, then the store. */
export function nodeRows({ nodes }: Plan, { exchanges, traffic }: History): NodeRow[] {
  return [...nodes, storePlace].map((node) => ({
    node,
    ...outcomesOf(exchanges.filter((one) => one.node === node)),
    ...{ sent: 0, lost: 0, ...traffic[node] },
  }))
}

/** Something that happened to the cluster. */
export interface ClusterEvent {
  readonly at: number
  readonly text: string
}

/** Faults, changes, and what nodes serve after them, in order of time. */
export function clusterEvents({ done, served }: History): ClusterEvent[] {
  const events: (ClusterEvent & { readonly order: number })[] = []
  for (const { step, startedAt, endedAt, problem } of done) {
    events.push({ at: startedAt, order: 0, text: showStep(step) })
    if (problem !== undefined) events.push({ at: endedAt ?? startedAt, order: 1, text: `failed: ${problem}` })
  }
  const serves = new Map<string, number>()
  for (const { at, node, version } of served) {
    if (at >= 0 && !Number.isNaN(version) && serves.get(node) !== version)
      events.push({ at, order: 2, text: `${node} serves version ${version}` })
    serves.set(node, version)
  }
  return events.sort((a, b) => a.at - b.at || a.order - b.order).map(({ at, text }) => ({ at, text }))
}

/** An event, or the decisions between two events. */
export type SummaryLine =
  | ({ readonly kind: 'event' } & ClusterEvent)
  | { readonly kind: 'decisions'; readonly from: number; readonly to: number; readonly outcomes: Outcomes }

/** Events in order of time, with the decisions about requests that began between them. */
export function summaryLines(history: History): SummaryLine[] {
  const events = clusterEvents(history)
  const lines: SummaryLine[] = []
  let from = 0
  for (const [i, event] of [...events, undefined].entries()) {
    const to = event?.at ?? history.endedAt
    const between = history.exchanges.filter(
      ({ startedAt }) => startedAt >= from && (startedAt < to || (event === undefined && startedAt === to)),
    )
    if (between.length > 0 && (i === 0 || to > from))
      lines.push({ kind: 'decisions', from, to, outcomes: outcomesOf(between) })
    if (event !== undefined) lines.push({ kind: 'event', ...event })
    from = to
  }
  return lines
}
