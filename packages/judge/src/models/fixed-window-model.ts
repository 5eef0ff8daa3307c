/** Fixed windows: each window admits `count` requests. Windows start with a first request, or on a grid of time. */
import type { Group } from '../trace/trace-and-history.ts'
import { type Automaton, type Outcome, runAutomaton } from './automaton.ts'
import { type Model, type Range, type RateLimit, secondsOf, slackMs } from './model.ts'
import { allPhases, phasesOf, singlePhase } from './window-phases.ts'

/** A window that starts between `from` and `to` and has admitted `used` requests. */
interface Window {
  readonly from: number
  readonly to: number
  readonly used: number
}
type State = Window | undefined

const textOf = (state: State) =>
  state === undefined ? 'none' : `${state.from.toFixed(2)} ${state.to.toFixed(2)} ${state.used}`

/** Windows that start with the first request after the window before. */
export function fixedFromFirst(limit: RateLimit): Model {
  const automaton: Automaton<State> = {
    initial: [undefined],
    outcomes(state, group) {
      return state === undefined ? firstOutcomes(limit, group, exactly) : windowOutcomes(limit, state, group, startsNow)
    },
    textOf,
  }
  const model: Model = {
    kind: 'fixed-window',
    name: 'fixed window that starts with the first request of a client',
    upper: () => atMostFromFirst(limit),
    explain(groups) {
      const run = runAutomaton(automaton, groups)
      return run.contradiction === undefined ? { learned: model } : run
    },
  }
  return model
}

/** The bound of limiters whose windows start with a request: at most `count` in each of them. */
export function atMostFromFirst(limit: RateLimit): Model {
  const automaton: Automaton<State> = {
    initial: [undefined],
    outcomes(state, group) {
      const outcomes = firstOutcomes(limit, group, atMost)
      if (outcomes === undefined) return undefined
      if (state === undefined) return outcomes
      const inWindow = windowOutcomes(limit, state, group, startsNow, atMost)
      // A request that is rejected after a window need not begin one.
      const isOver = group.answeredAt >= state.from + limit.periodMs - slackMs(limit.periodMs)
      return isOver && inWindow !== undefined ? [...inWindow, exactly(0, undefined)] : inWindow
    },
    textOf,
  }
  const model: Model = {
    kind: 'fixed-window',
    name: `limiter with at most ${limit.count} requests in each ${secondsOf(limit.periodMs)} from a request on`,
    explain(groups) {
      const run = runAutomaton(automaton, groups)
      return run.contradiction === undefined ? { learned: model } : run
    },
  }
  return model
}

/** Windows that start at the same phase for all clients, such as whole multiples of the period. */
export function fixedOnGrid(limit: RateLimit): Model {
  return onGrid(limit, 'fixed window on a grid of time that all clients share', exactly, allPhases(limit.periodMs))
}

/** The bound of limiters whose windows start on a grid: at most `count` in each of them. */
export function atMostOnGrid(limit: RateLimit, phases: readonly Range[] = allPhases(limit.periodMs)): Model {
  const name = `limiter with at most ${limit.count} requests in each ${secondsOf(limit.periodMs)} of a grid of time`
  return onGrid(limit, name, atMost, phases)
}

function onGrid(limit: RateLimit, name: string, outcome: MakeOutcome, phases: readonly Range[]): Model {
  const edge = singlePhase(phases)
  return {
    kind: 'fixed-window',
    name,
    upper: () => atMostOnGrid(limit, phases),
    ...(edge !== undefined && { edge }),
    explain(groups) {
      const [first] = groups
      if (first === undefined) return { learned: this }
      const automaton: Automaton<State> = {
        initial: phases.map((phase) => gridStart(phase, first.sentAt, limit.periodMs)),
        outcomes: (state, group) =>
          state === undefined ? [] : windowOutcomes(limit, state, group, startsOnGrid, outcome),
        textOf,
      }
      const run = runAutomaton(automaton, groups)
      if (run.contradiction !== undefined) return run
      return { learned: onGrid(limit, name, outcome, phasesOf(run.states, limit.periodMs)) }
    },
  }
}

/** The last window of the grid that surely begins before the instant. */
export function gridStart(phase: Range, at: number, periodMs: number): Window {
  const before = Math.floor((at - phase.max) / periodMs) * periodMs
  return { from: phase.min + before, to: phase.max + before, used: 0 }
}

type NextStart = (old: Range, group: Group, periodMs: number) => readonly Range[]

const startsNow: NextStart = (old, group, periodMs) => [
  { min: Math.max(group.sentAt, old.min + periodMs - slackMs(periodMs)), max: group.answeredAt },
]

const startsOnGrid: NextStart = (old, group, periodMs) => {
  const slack = slackMs(periodMs)
  const fewest = Math.max(1, Math.floor((group.sentAt - old.max - slack) / periodMs))
  const most = Math.floor((group.answeredAt - old.min + slack) / periodMs)
  return Array.from({ length: Math.max(0, most - fewest + 1) }, (_, i) => ({
    min: old.min + (fewest + i) * periodMs,
    max: old.max + (fewest + i) * periodMs,
  }))
}

function windowOutcomes(
  limit: RateLimit,
  state: Window,
  group: Group,
  next: NextStart,
  outcome: MakeOutcome = exactly,
): readonly Outcome<State>[] | undefined {
  const { count, periodMs } = limit
  if (group.answeredAt - group.sentAt > periodMs / 2) return undefined
  const slack = slackMs(periodMs)
  const mayBeOld = group.sentAt < state.to + periodMs + slack
  const mayBeNew = group.answeredAt >= state.from + periodMs - slack
  const left = count - state.used
  const outcomes: Outcome<State>[] = []
  if (mayBeOld) {
    const admitted = Math.min(group.count, left)
    const from = Math.max(state.from, group.sentAt - periodMs - slack)
    outcomes.push(outcome(admitted, { ...state, from: Math.min(from, state.to), used: state.used + admitted }))
  }
  if (!mayBeNew) return outcomes
  for (const { min, max } of next({ min: state.from, max: state.to }, group, periodMs)) {
    // Of a group round the edge, any number of requests may belong to the old window, unless all have one instant.
    const mayBeSplit = mayBeOld && group.answeredAt > group.sentAt
    for (let old = 0; old === 0 || (mayBeSplit && old < group.count); old += 1) {
      const admitted = Math.min(group.count - old, count)
      outcomes.push(outcome(admitted + Math.min(old, left), { from: min, to: Math.max(min, max), used: admitted }))
    }
  }
  return outcomes
}

function firstOutcomes(limit: RateLimit, group: Group, outcome: MakeOutcome): readonly Outcome<State>[] | undefined {
  // On a busy machine, a crowd may take so long that its window ends.
  if (group.answeredAt - group.sentAt > limit.periodMs / 2) return undefined
  const admitted = Math.min(group.count, limit.count)
  return [outcome(admitted, { from: group.sentAt, to: group.answeredAt, used: admitted })]
}

/** Makes the outcome of a group of which a window admits `admitted`, and is then in the state. */
type MakeOutcome = (admitted: number, state: State) => Outcome<State>

const exactly: MakeOutcome = (admitted, state) => ({ min: admitted, max: admitted, next: () => state })

/** Limiters may admit fewer. What is not admitted was not counted. */
const atMost: MakeOutcome = (admitted, state) => ({
  min: 0,
  max: admitted,
  next: (seen) => state && { ...state, used: Math.max(0, state.used - (admitted - seen)) },
})
