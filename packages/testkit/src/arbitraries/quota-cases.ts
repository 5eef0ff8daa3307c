/** Generates a quota and operations on it: requests, peeks, resets, new maxima, and pauses around the renewal period. */
import type { Millis } from '@turnpike/core/lib'
import fc from 'fast-check'
import { virtualEpoch } from '../virtual-clock.ts'
import { stepCodes } from './traces.ts'

/** One operation on a quota at an instant. `peek` reads the state without consuming quota. */
export type QuotaStep =
  | { readonly kind: 'consume'; readonly at: Millis; readonly amount: number }
  | { readonly kind: 'peek'; readonly at: Millis }
  /** An update of the key without `suppress_reset`. */
  | { readonly kind: 'reset'; readonly at: Millis }
  /** An update with `suppress_reset`, or with `dont_set_quota_on_create` in the configuration: the count is kept. */
  | { readonly kind: 'change-max'; readonly at: Millis; readonly max: number }

export interface QuotaCase {
  readonly max: number
  /** 0 or less: the quota never renews. */
  readonly renewalSeconds: number
  readonly steps: readonly QuotaStep[]
}

export const quotaCases: fc.Arbitrary<QuotaCase> = fc
  .tuple(fc.constantFrom(1, 2, 3, 5, 10, 100), fc.constantFrom(60, 1, 3600, 0, -1, 2_592_000), stepCodes())
  .map(([max, renewalSeconds, codes]) => ({ max, renewalSeconds, steps: decodeSteps(codes, max, renewalSeconds) }))

/** Formats a case for a report. */
export function showQuotaCase({ max, renewalSeconds, steps }: QuotaCase): string {
  const start = steps[0]?.at ?? 0
  const lines = steps.map((step, index) => {
    const action = step.kind === 'consume' ? `consume ${step.amount}` : step.kind
    const more = step.kind === 'change-max' ? ` to ${step.max}` : ''
    return `  ${index}: ${step.at - start} ms  ${action}${more}`
  })
  return [`  quota ${max} in ${renewalSeconds} s, begins at ${start}`, ...lines].join('\n')
}

function decodeSteps(codes: readonly number[], max: number, renewalSeconds: number): QuotaStep[] {
  const steps: QuotaStep[] = []
  const periodMs = Math.max(1, renewalSeconds) * 1000
  let at = virtualEpoch
  for (const code of codes) {
    const extra = code >> 12
    at += pauseFor(code & 15, extra, periodMs)
    const choice = (code >> 4) & 31
    if (choice < 20) {
      const burst = [1, 1, 2, max, max + 1][choice % 5] as number
      const amount = choice < 17 ? 1 : 1 + (extra % 3)
      for (let i = 0; i < Math.min(burst, 12); i += 1) steps.push({ kind: 'consume', at, amount })
    } else if (choice < 27) steps.push({ kind: 'peek', at })
    else if (choice === 27) steps.push({ kind: 'reset', at })
    else steps.push({ kind: 'change-max', at, max: 1 + (extra % (2 * max)) })
  }
  return steps
}

function pauseFor(choice: number, extra: number, periodMs: Millis): Millis {
  if (choice < 8) return 0
  const pauses = [
    1,
    extra,
    periodMs - 1,
    periodMs,
    periodMs + 1,
    Math.floor(periodMs / 2),
    Math.floor((periodMs * extra) / 4096),
  ]
  return pauses[choice - 8] ?? 3 * periodMs
}
