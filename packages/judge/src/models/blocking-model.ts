/**
 * Limiters that block a client for a time once it has exceeded the limit, and then start with an empty counter. Some
 * start the time again with each request that they reject.
 */
import type { Group } from '../trace/trace-and-history.ts'
import { trailingBound } from './at-most-bounds.ts'
import { type Automaton, type Outcome, runAutomaton } from './automaton.ts'
import { atMostFromFirst } from './fixed-window-model.ts'
import { type Model, type Range, type RateLimit, secondsOf, slackMs } from './model.ts'
import { countBefore } from './rolling-log-model.ts'

export interface BlockingOptions {
  /** What counts while the client is not blocked: a window from its first request, or the trailing period. */
  readonly counts: 'window' | 'log'
  /** True if each rejected request starts the time again. */
  readonly isExtended: boolean
}

interface State {
  /** When the client is blocked no longer; `undefined` without a block. */
  readonly block: Range | undefined
  /** When the window began; `undefined` before its first request. */
  readonly window: Range | undefined
  readonly used: number
  /** Index of the first group that a log still counts. */
  readonly since: number
}

const unused: State = { block: undefined, window: undefined, used: 0, since: 0 }

export function blockingModel(limit: RateLimit, options: BlockingOptions): Model {
  const { blockMs = limit.periodMs } = limit
  const counts = options.counts === 'log' ? 'rolling log' : 'fixed window'
  const extended = options.isExtended ? ', again with each request that it rejects' : ''
  const model: Model = {
    kind: 'blocking',
    upper: () => (options.counts === 'log' ? trailingBound(limit) : atMostFromFirst(limit)),
    name: `${counts} that blocks a client for ${secondsOf(blockMs)} when it exceeds the limit${extended}`,
    explain(groups) {
      const automaton: Automaton<State> = {
        initial: [unused],
        outcomes: (state, group, index) => {
          if (group.answeredAt - group.sentAt > limit.periodMs / 2) return undefined
          return [
            ...blockedOutcomes(state, group, { blockMs, isExtended: options.isExtended }),
            ...openOutcomes({ limit, blockMs, groups, index }, state, options.counts),
          ]
        },
        textOf: ({ block, window, used, since }) =>
          [block?.min, block?.max, window?.min, window?.max, used, since].map((n) => n?.toFixed(2)).join(' '),
      }
      const run = runAutomaton(automaton, groups)
      return run.contradiction === undefined ? { learned: model } : run
    },
  }
  return model
}

function blockedOutcomes(
  state: State,
  group: Group,
  { blockMs, isExtended }: { readonly blockMs: number; readonly isExtended: boolean },
): readonly Outcome<State>[] {
  if (state.block === undefined || group.sentAt >= state.block.max + slackMs(blockMs)) return []
  const block = isExtended ? blockFrom(group, blockMs) : state.block
  return [{ min: 0, max: 0, next: () => ({ ...state, block }) }]
}

const blockFrom = ({ sentAt, answeredAt }: Group, blockMs: number): Range => ({
  min: sentAt + blockMs,
  max: answeredAt + blockMs,
})

interface Place {
  readonly limit: RateLimit
  readonly blockMs: number
  readonly groups: readonly Group[]
  readonly index: number
}

function openOutcomes(place: Place, state: State, counts: 'window' | 'log'): readonly Outcome<State>[] {
  const { limit, blockMs, groups, index } = place
  const group = groups[index] as Group
  if (state.block !== undefined && group.answeredAt < state.block.min - slackMs(blockMs)) return []
  const open = state.block === undefined ? state : { ...unused, since: index }
  const outcomes = counts === 'log' ? fromLog(place, open) : fromWindow(place, open)
  // A crowd round the end of a block is admitted in part.
  if (state.block === undefined || group.count === 1) return outcomes
  const most = Math.min(group.count, limit.count)
  return [...outcomes, { min: 0, max: most, next: (used) => ({ ...open, used, window: windowFrom(group) }) }]
}

const windowFrom = ({ sentAt, answeredAt }: Group): Range => ({ min: sentAt, max: answeredAt })

function fromLog(place: Place, state: State): readonly Outcome<State>[] {
  const { limit, groups, index } = place
  const used = countBefore(groups, index, limit.periodMs, 'admitted', state.since)
  const lefts = new Set([limit.count - used.min, limit.count - used.max])
  return [...lefts].map((left) => outcomeWith(place, { ...state, used: limit.count - Math.max(0, left) }))
}

function fromWindow(place: Place, state: State): readonly Outcome<State>[] {
  const { limit, groups, index } = place
  const group = groups[index] as Group
  const slack = slackMs(limit.periodMs)
  const begun = { ...state, window: windowFrom(group), used: 0 }
  const { window } = state
  if (window === undefined) return [outcomeWith(place, begun)]
  return [
    ...(group.sentAt < window.max + limit.periodMs + slack ? [outcomeWith(place, state)] : []),
    ...(group.answeredAt >= window.min + limit.periodMs - slack ? [outcomeWith(place, begun)] : []),
  ]
}

/** What the limiter admits with the used requests of the state; more than that begins a block. */
function outcomeWith({ limit, blockMs, groups, index }: Place, state: State): Outcome<State> {
  const group = groups[index] as Group
  const left = Math.max(0, limit.count - state.used)
  const admitted = Math.min(group.count, left)
  const block = group.count > left ? blockFrom(group, blockMs) : undefined
  return { min: admitted, max: admitted, next: () => ({ ...state, block, used: state.used + admitted }) }
}
