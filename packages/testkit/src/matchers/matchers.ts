/**
 * Matchers for vitest. Importing this file adds them to `expect`:
 *
 *     import '@turnpike/testkit/matchers'
 *
 *     expect(requests).toAdmitAtMost(100).inAny(60_000)
 *     expect(await engine.explain(request, false, micros)).toBeRejectedBy('key-limits')
 *     await expect(subject).toKeep(rollingLogProperty)
 */
import { chai, expect } from 'vitest'
import { aPositiveNumber, aText, aWholeNumber, checkInput, InputError } from '../check-input.ts'
import { type CheckOptions, checkProperty, type Property, showReport } from '../properties/property.ts'
import { busiestWindow, checkSeen, wasAdmitted } from './busiest-window.ts'

/** The trace of a request, as `engine.explain` and `gateway.explain` return it. */
export interface ExplainedRequest {
  readonly stages: readonly { readonly stage: string; readonly verdict: string }[]
}

/** Return type of `toAdmitAtMost(n)`. */
export interface AtMost {
  /** Checks every window (t − W, t] of this many ms. */
  inAny(windowMs: number): void
}

declare module 'vitest' {
  interface Matchers<T> {
    /** Checks that no window of the given requests admits more than `n`. */
    toAdmitAtMost(most: number): AtMost
    /** Checks that this stage ended the request with a rejection. */
    toBeRejectedBy(stage: string): void
    /**
     * Checks that the subject satisfies the property. The message of a failure has the shortest trace that violates it,
     * and its seed.
     */
    toKeep<S>(property: Property<S>, run?: CheckOptions): Promise<void>
  }
}

chai.use(({ Assertion }, utils) => {
  utils.addMethod(Assertion.prototype, 'toAdmitAtMost', function (this: Chai.AssertionStatic, most: number): AtMost {
    const seen: unknown = utils.flag(this, 'object')
    checkSeen('toAdmitAtMost', seen)
    checkInput('toAdmitAtMost', 'the number of requests', most, aWholeNumber(0))
    return {
      inAny: (windowMs) => {
        checkInput('inAny', 'the window in ms', windowMs, aPositiveNumber)
        const { count, from } = busiestWindow(seen.filter(wasAdmitted), windowMs)
        const sentence = `${count} are admitted in the ${windowMs} ms after ${from}`
        this.assert(
          count <= most,
          `${sentence}, where ${most} may be`,
          `${sentence}, which is no more than ${most}`,
          most,
          count,
        )
      },
    }
  })
})

expect.extend({
  toBeRejectedBy(received: ExplainedRequest, stage: string) {
    if (!Array.isArray(received?.stages))
      throw new InputError('toBeRejectedBy: expects what engine.explain or gateway.explain returned')
    checkInput('toBeRejectedBy', 'the stage', stage, aText)
    const rejecting = received.stages.findLast(({ verdict }) => verdict.startsWith('rejects'))
    const pass = rejecting?.stage === stage
    const verdicts = received.stages.map((each) => `  ${each.stage}: ${each.verdict}`).join('\n')
    const was = rejecting === undefined ? 'no stage rejected it' : `${rejecting.stage} rejected it`
    return {
      pass,
      message: () => `expected the request ${pass ? 'not ' : ''}to be rejected by ${stage}; ${was}\n${verdicts}`,
    }
  },
  async toKeep(received: { readonly name: string }, property: Property<unknown>, run?: CheckOptions) {
    const report = await checkProperty(property, received, run)
    return { pass: report.holds, message: () => showReport(report, received.name) }
  },
})
