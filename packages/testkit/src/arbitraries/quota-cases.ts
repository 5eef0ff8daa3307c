/** A quota and what is done to it: requests, looks, resets, changed maxima, silences around its period. */
import type { Millis } from '@turnpike/core'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { stepCodes } from './traces.ts'

/** One thing done to a quota. */
export type QuotaStep =
  | { readonly kind: 'spend'; readonly at: Millis; readonly amount: number }
  | { readonly kind: 'look'; readonly at: Millis }
  /** An update of the key without `suppress_reset`. */
  | { readonly kind: 'reset'; readonly at: Millis }
  /** An update with `suppress_reset`, or under `dont_set_quota_on_create`: the count goes on. */
  | { readonly kind: 'change-max'; readonly at: Millis; readonly max: number }

export interface QuotaCase {
  readonly max: number
  /** 0: the quota never renews. */
  readonly renewalSeconds: number
  readonly steps: readonly QuotaStep[]
}

/** Draws cases. */
export const quotaCases: fc.Arbitrary<QuotaCase> = fc
  .tuple(fc.constantFrom(1, 2, 3, 5, 10, 100), fc.constantFrom(60, 1, 3600, 0, -1, 2_592_000), stepCodes())
  .map(([max, renewalSeconds, codes]) => ({ max, renewalSeconds, steps: decodeSteps(codes, max, renewalSeconds) }))

/** A case for people. */
export function showQuotaCase({ max, renewalSeconds, steps }: QuotaCase): string {
  const start = steps[0]?.at ?? 0
  const lines = steps.map((step, index) => {
    const what = step.kind === 'spend' ? `spend ${step.amount}` : step.kind
    const more = step.kind === 'change-max' ? ` to ${step.max}` : ''
    return `  ${index}: ${step.at - start} ms  ${what}${more}`
  })
  return [`  quota ${max} in ${renewalSeconds} s, begins at ${start}`, ...lines].join('\n')
}

function decodeSteps(codes: readonly number[], max: number, renewalSeconds: number): QuotaStep[] {
  const steps: QuotaStep[] = []
  const periodMs = Math.max(1, renewalSeconds) * 1000
  let at = virtualEpoch
  for (const code of codes) {
    const extra = code >> 12
    at += silence(code & 15, extra, periodMs)
    const action = (code >> 4) & 31
    if (action < 20) {
      const burst = [1, 1, 2, max, max + 1][action % 5] as number
      const amount = action < 17 ? 1 : 1 + (extra % 3)
      for (let i = 0; i < Math.min(burst, 12); i += 1) steps.push({ kind: 'spend', at, amount })
    } else if (action < 27) steps.push({ kind: 'look', at })
    else if (action === 27) steps.push({ kind: 'reset', at })
    else steps.push({ kind: 'change-max', at, max: 1 + (extra % (2 * max)) })
  }
  return steps
}

function silence(choice: number, extra: number, periodMs: Millis): Millis {
  if (choice < 8) return 0
  const silences = [
    1,
    extra,
    periodMs - 1,
    periodMs,
    periodMs + 1,
    Math.floor(periodMs / 2),
    Math.floor((periodMs * extra) / 4096),
  ]
  return silences[choice - 8] ?? 3 * periodMs
}
