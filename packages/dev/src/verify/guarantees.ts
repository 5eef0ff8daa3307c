/** The guarantees of the files in words, each with the behaviour of the configured limiter. */
import type { RateAlgorithm } from '@turnpike/core/ports'
import type { Place } from './field-positions.ts'
import { number } from './format-text.ts'
import { wholeAmount } from './limit-model.ts'
import type { RequestLimit } from './limits-of-request.ts'
import type { KeyKind } from './trace-subjects.ts'

export interface Guarantee {
  readonly words: string
  /** A note, if the limiter can allow more requests around the end of a window. */
  readonly note: string | undefined
  /** The field that sets the limit. */
  readonly place: Place
}

/** Returns each guarantee once, in the order of the files. */
export function guaranteesOf(keyKinds: readonly KeyKind[]): Guarantee[] {
  const byWords = new Map<string, Guarantee>()
  for (const { limitedTargets } of keyKinds) {
    for (const { limits } of limitedTargets) {
      for (const limit of limits)
        byWords.set(limit.words, { words: limit.words, note: noteOf(limit), place: limit.place })
    }
  }
  return [...byWords.values()]
}

/** Describes in a sentence how the configured limiter counts. */
export const limiterWords: Readonly<Record<RateAlgorithm, string>> = {
  local: 'a window begins with the first request after the last one; rejected requests count for nothing',
  rolling: 'every request counts until it is a whole window old, rejected ones too',
  fixed: 'windows start at multiples of their length',
  sentinel: 'the request that reaches the limit shuts the door for a whole window',
}

function noteOf({ what, kind, amount }: RequestLimit): string | undefined {
  if (what === 'quota' || (kind !== 'local' && kind !== 'fixed')) return undefined
  const { most } = wholeAmount(amount)
  const worst = kind === 'local' ? 2 * most - 1 : 2 * most
  return worst > most ? `around the end of a window up to ${number(worst)} can come together` : undefined
}
