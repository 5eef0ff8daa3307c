/**
 * Sliding window counters: two counters of fixed windows; requests of the window before count with the share of it that
 * is still inside the trailing period. Implementations round differently, so the bounds leave room for that.
 */
import type { Group } from '../trace/trace-and-history.ts'
import { type Automaton, type Outcome, runAutomaton } from './automaton.ts'
import { atMostFromFirst, atMostOnGrid, gridStart } from './fixed-window-model.ts'
import { type Model, type Range, type RateLimit, slackMs } from './model.ts'
import type { Counted } from './rolling-log-model.ts'
import { allPhases, phasesOf, singlePhase } from './window-phases.ts'

/** The current window starts between `from` and `to`; the counts of the window before and of this one. */
interface Counters {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly now: number
}
type State = Counters | undefined

export interface SlidingOptions {
  readonly counted: Counted
  /** Phases of the windows of all clients; without them, windows start with the first request of a client. */
  readonly phases?: readonly Range[]
}

export function slidingOnGrid(limit: RateLimit, counted: Counted): Model {
  return slidingWindow(limit, { counted, phases: allPhases(limit.periodMs) })
}

export function slidingWindow(limit: RateLimit, { counted, phases }: SlidingOptions): Model {
  const edge = phases === undefined ? undefined : singlePhase(phases)
  const rejected = counted === 'all' ? ', with rejected requests counted' : ''
  return {
    kind: 'sliding-window',
    upper: () => (phases === undefined ? atMostFromFirst(limit) : atMostOnGrid(limit, phases)),
    name: `sliding window counter ${phases === undefined ? 'that starts with the first request of a client' : 'on a grid of time that all clients share'}${rejected}`,
    ...(edge !== undefined && { edge }),
    explain(groups) {
      const [first] = groups
      if (first === undefined) return { learned: this }
      const automaton: Automaton<State> = {
        initial: phases?.map((phase) => fresh(gridStart(phase, first.sentAt, limit.periodMs))) ?? [undefined],
        outcomes: (state, group) =>
          counterOutcomes(
            limit,
            counted,
            state ?? fresh({ from: group.sentAt, to: group.answeredAt }),
            group,
            phases !== undefined,
          ),
        textOf: (state) =>
          state === undefined ? 'none' : `${state.from.toFixed(2)} ${state.to.toFixed(2)} ${state.before} ${state.now}`,
      }
      const run = runAutomaton(automaton, groups)
      if (run.contradiction !== undefined) return run
      if (phases === undefined) return { learned: this }
      return { learned: slidingWindow(limit, { counted, phases: phasesOf(run.states, limit.periodMs) }) }
    },
  }
}

const fresh = ({ from, to }: { readonly from: number; readonly to: number }): Counters => ({
  from,
  to,
  before: 0,
  now: 0,
})

function counterOutcomes(
  limit: RateLimit,
  counted: Counted,
  state: Counters,
  group: Group,
  onGrid: boolean,
): readonly Outcome<State>[] | undefined {
  const { periodMs } = limit
  const slack = slackMs(periodMs)
  const elapsed = { min: group.sentAt - state.to - slack, max: group.answeredAt - state.from + slack }
  const fewest = Math.max(0, Math.floor(elapsed.min / periodMs))
  const most = Math.max(0, Math.floor(elapsed.max / periodMs))
  // The counts of a crowd round the edge of two windows are not followed, unless all of it is decided at one instant.
  if (group.count > 1 && group.answeredAt > group.sentAt && most > fewest) return undefined
  if (most > fewest + 1) return undefined
  const outcomes: Outcome<State>[] = []
  for (let passed = fewest; passed <= most; passed += 1) {
    const shifted: Counters = {
      from: state.from + passed * periodMs,
      to: state.to + passed * periodMs,
      before: passed === 0 ? state.before : passed === 1 ? state.now : 0,
      now: passed === 0 ? state.now : 0,
    }
    outcomes.push(outcomeIn(limit, counted, shifted, group))
    if (passed >= 2 && !onGrid)
      outcomes.push(outcomeIn(limit, counted, fresh({ from: group.sentAt, to: group.answeredAt }), group))
  }
  return outcomes
}

function outcomeIn(limit: RateLimit, counted: Counted, state: Counters, group: Group): Outcome<State> {
  const { count, periodMs } = limit
  const slack = slackMs(periodMs)
  const share = (at: number) => 1 - Math.min(1, Math.max(0, at / periodMs))
  const heaviest = share(group.sentAt - state.to - slack)
  const lightest = share(group.answeredAt - state.from + slack)
  const clip = (left: number) => Math.min(group.count, Math.max(0, left))
  return {
    min: clip(count - state.now - Math.ceil(state.before * heaviest)),
    max: clip(count - state.now - Math.floor(state.before * lightest)),
    next: (admitted) => ({ ...state, now: state.now + (counted === 'all' ? group.count : admitted) }),
  }
}
