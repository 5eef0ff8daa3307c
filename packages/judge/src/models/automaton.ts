/** Follows every state that a limiter can be in, and drops those that contradict what was observed. */
import type { Group } from '../trace/trace-and-history.ts'
import { type Contradiction, contradictionOf } from './model.ts'

/** The limiter may admit from `min` to `max` requests of a group and is then in the state `next`. */
export interface Outcome<S> {
  readonly min: number
  readonly max: number
  next(admitted: number): S
}

export interface Automaton<S> {
  readonly initial: readonly S[]
  /** Every outcome of a group in a state; `undefined` if the group took too long to be judged. */
  outcomes(state: S, group: Group, index: number): readonly Outcome<S>[] | undefined
  /** Equal states have equal texts. */
  textOf(state: S): string
}

/** More states than this are not followed: the history counts as explained. */
const maxStates = 4000

export type AutomatonRun<S> =
  | { readonly states: readonly S[]; readonly contradiction?: undefined }
  | { readonly contradiction: Contradiction }

export function runAutomaton<S>(automaton: Automaton<S>, groups: readonly Group[]): AutomatonRun<S> {
  let states = automaton.initial
  for (const [index, group] of groups.entries()) {
    const next = new Map<string, S>()
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (const state of states) {
      const outcomes = automaton.outcomes(state, group, index)
      if (outcomes === undefined) return { states }
      for (const outcome of outcomes) {
        min = Math.min(min, outcome.min)
        max = Math.max(max, outcome.max)
        if (group.admitted < outcome.min || group.admitted > outcome.max) continue
        const reached = outcome.next(group.admitted)
        next.set(automaton.textOf(reached), reached)
      }
    }
    if (next.size === 0) return { contradiction: contradictionOf(index, group.admitted, { min, max }) }
    if (next.size > maxStates) return { states }
    states = [...next.values()]
  }
  return { states }
}
