import type { LimitReading, RejectionReason, RequestRecord } from '@turnpike/core/pipeline'
import { describe, expect, it } from 'vitest'
import { explainOutcome } from './explain-outcome.ts'

const now = 1_000_000
const entry = {
  ...{ apiId: 'a', status: 429, upstreamAddress: '', upstreamMs: 0 },
  rejection: { stage: 'key-limits', phase: '3-admit', code: 'rate-exceeded', message: 'Rate Limit Exceeded' },
} as unknown as RequestRecord
const exceeded: LimitReading = {
  ...{ kind: 'rate', owner: 'key', endpoint: '', max: 2, seconds: 60, before: 0, after: 0, allowed: false },
  resetsAt: now + 5000,
}
const why: RejectionReason = {
  code: 'rate-exceeded',
  message: 'policy "slow" sets the rate of 2 requests in 60 s; retry in 60 s',
  limit: 'policy "slow" sets the rate of 2 requests in 60 s',
  setBy: [{ kind: 'policy', id: 'slow', name: '' }],
  retryAt: now + 5000,
}
const secondSentence = (reason: RejectionReason | undefined, at = now, limits = [exceeded]) =>
  explainOutcome(entry, { limits, why: reason }, at)[1]

describe('the sentence about a rejection', () => {
  it('names the policy, and the time until a retry at the moment of reading', () => {
    expect(secondSentence(why)).toBe('Policy "slow" sets the rate of 2 requests in 60 s. Retry in 5 s.')
    expect(secondSentence(why, now + 6000)).toMatch(/There is room again now\.$/)
  })

  it('says that a limit never resets', () => {
    expect(secondSentence({ ...why, retryAt: undefined })).toMatch(/in 60 s\. It never resets\.$/)
  })

  it('names no owner to a viewer who may not know it', () => {
    expect(secondSentence(undefined)).toBe(
      'The rate of the key allows 2 requests in 60 s, and nothing was left. Retry in 5 s.',
    )
  })

  it('says what decided if it was no limit', () => {
    const rights = { ...why, limit: undefined, message: 'policy "slow": access_rights do not list API "a"' }
    const { limit: _, ...reason } = rights
    expect(secondSentence(reason, now, [])).toBe('Policy "slow": access_rights do not list API "a".')
  })
})
