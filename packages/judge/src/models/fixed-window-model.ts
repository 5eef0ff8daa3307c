/** Fixed windows: each window admits `count` requests. Windows start with a first request, or on a grid of time. */
import type { Group } from '../trace/trace-and-history.ts'
import { type Automaton, type Outcome, runAutomaton } from './automaton.ts'
import { type Model, type Range, type RateLimit, slackMs } from './model.ts'
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
      if (state !== undefined) return windowOutcomes(limit, state, group, startsNow)
      const admitted = Math.min(group.count, limit.count)
      return [exactly(admitted, { from: group.sentAt, to: group.answeredAt, used: admitted })]
    },
    textOf,
  }
  const model: Model = {
    kind: 'fixed-window',
    name: 'fixed window that starts with the first request of a client',
    explain(groups) {
      const run = runAutomaton(automaton, groups)
      return run.contradiction === undefined ? { learned: model } : run
    },
  }
  return model
}

/** Windows that start at the same phase for all clients, such as whole multiples of the period. */
export function fixedOnGrid(limit: RateLimit, phases: readonly Range[] = allPhases(limit.periodMs)): Model {
  const edge = singlePhase(phases)
  return {
    kind: 'fixed-window',
    name: 'fixed window on a grid of time that all clients share',
    ...(edge !== undefined && { edge }),
    explain(groups) {
      const [first] = groups
      if (first === undefined) return { learned: this }
      const automaton: Automaton<State> = {
        initial: phases.map((phase) => gridStart(phase, first.sentAt, limit.periodMs)),
        outcomes: (state, group) => (state === undefined ? [] : windowOutcomes(limit, state, group, startsOnGrid)),
        textOf,
      }
      const run = runAutomaton(automaton, groups)
      if (run.contradiction !== undefined) return run
      return { learned: fixedOnGrid(limit, phasesOf(run.states, limit.periodMs)) }
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
    outcomes.push(exactly(admitted, { ...state, from: Math.min(from, state.to), used: state.used + admitted }))
  }
  if (!mayBeNew) return outcomes
  for (const { min, max } of next({ min: state.from, max: state.to }, group, periodMs)) {
    // Of a group round the edge, any number of requests may belong to the old window.
    for (let old = 0; old === 0 || (mayBeOld && old < group.count); old += 1) {
      const admitted = Math.min(group.count - old, count)
      outcomes.push(exactly(admitted + Math.min(old, left), { from: min, to: Math.max(min, max), used: admitted }))
    }
  }
  return outcomes
}

function exactly(admitted: number, state: State): Outcome<State> {
  return { min: admitted, max: admitted, next: () => state }
}
