import type { WireExplanation } from '@turnpike/mgmt-api'
import { describe, expect, it } from 'vitest'
import { repeatUntilRejected, statusesLine } from './repeat-until-rejected.ts'

const withStatus = (status: number) => ({ status }) as WireExplanation

/** Sends requests that get these statuses, and the last one for all others. */
async function repeat(statuses: number[], limit: number) {
  const rest = [...statuses]
  const send = async () => withStatus((rest.length > 1 ? rest.shift() : rest[0]) ?? 0)
  return repeatUntilRejected(await send(), send, limit)
}

describe('repeatUntilRejected', () => {
  it('ends with the first rejected request', async () => {
    const { report, statuses } = await repeat([200, 204, 429, 200], 10)
    expect(statuses).toEqual([200, 204, 429])
    expect(report.status).toBe(429)
  })

  it('sends one request if it is rejected', async () => {
    expect((await repeat([403, 200], 10)).statuses).toEqual([403])
  })

  it('ends at the limit', async () => {
    expect((await repeat([200], 3)).statuses).toEqual([200, 200, 200])
  })
})

describe('statusesLine', () => {
  it('counts equal statuses', () => {
    expect(statusesLine([200, 200, 304, 200, 429])).toBe('requests: 2 × 200, 1 × 304, 1 × 200, 1 × 429')
  })

  it('says that no request was rejected', () => {
    expect(statusesLine([200, 200])).toBe('requests: 2 × 200; none was rejected')
  })
})
