/** Properties of a built process, over the network and in real time. */
import {
  compatibleRate,
  fixedWindowProperty,
  gridCases,
  httpSubject,
  linearizabilityProperty,
  noStarvationProperty,
  type RateSubject,
  runInRealTime,
  showRealTimeReport,
  simultaneousRate,
  type WrittenRate,
} from '@turnpike/testkit'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeFolder, sessionFor } from './support/folder.ts'
import { type RunningGateway, startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

/** A key for each counter, made over the management API. */
function subjectOf(gateway: RunningGateway, rate: RateSubject) {
  return httpSubject({
    name: rate.name,
    url: `${gateway.url}/keyed/a`,
    traits: { ...rate.traits, remaining: 'not-reported' },
    async headersOf(_counter, limit: WrittenRate) {
      const { body } = await gateway.manage('POST', '/svc/keys/create', { ...sessionFor('keyed'), ...limit })
      return { Authorization: (body as { key: string }).key }
    },
  })
}

async function startKeyed(config: object = {}) {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder(config)
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  const gateway = await startForTest(folder)
  return {
    gateway,
    async close() {
      await gateway.stop()
      await upstream.close()
      folder.remove()
    },
  }
}

const limits: readonly WrittenRate[] = [{ rate: 3, per: 2 }]

describe('properties of a built gateway, over HTTP', { timeout: 120_000 }, () => {
  it.each([fixedWindowProperty, noStarvationProperty])('$name', async (property) => {
    const { gateway, close } = await startKeyed()
    const rate = compatibleRate('local')
    const report = await runInRealTime(property, subjectOf(gateway, rate), gridCases(rate.traits, limits), {
      cases: 5,
      together: 5,
      tries: 0,
    })
    expect(report.holds, showRealTimeReport(report, 'the process')).toBe(true)
    await close()
  })

  it('n simultaneous requests admit exactly min(n, L)', async () => {
    const { gateway, close } = await startKeyed()
    const timed = subjectOf(gateway, compatibleRate('local'))
    const crowd = {
      name: 'the process',
      // Its window is a minute: nobody can be too late for it, but the window must not end meanwhile.
      begin() {
        const { subject, blurred } = timed.begin()
        return { subject: simultaneousRate(subject), blurred }
      },
    }
    const report = await runInRealTime(linearizabilityProperty, crowd, linearizabilityProperty.cases, {
      cases: 4,
      together: 1,
      tries: 0,
    })
    expect(report.holds, showRealTimeReport(report, 'the process')).toBe(true)
    await close()
  })
})
