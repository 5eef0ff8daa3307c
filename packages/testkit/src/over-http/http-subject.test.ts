import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { RateCase, WrittenRate } from '../arbitraries/rate-cases.ts'
import type { PropertyWithCases } from '../properties/property.ts'
import { rollingLogProperty } from '../properties/property-01-rolling-log.ts'
import { fixedWindowProperty } from '../properties/property-02-fixed-window.ts'
import { noStarvationProperty } from '../properties/property-06-no-starvation.ts'
import { headersProperty } from '../properties/property-10-headers.ts'
import { linearizabilityProperty, simultaneousRate } from '../properties/property-12-linearizability.ts'
import { compatibleRate } from '../properties/subjects/compatible-rates.ts'
import type { RateSubject } from '../properties/subjects/rate-subject.ts'
import { plainLogRate } from '../properties/subjects/textbook-rates.ts'
import { virtualEpoch } from '../virtual-clock.ts'
import { gridCases } from './grid-cases.ts'
import { httpSubject } from './http-subject.ts'
import { runInRealTime, showRealTimeReport } from './run-in-real-time.ts'

const limits: readonly WrittenRate[] = [{ rate: 3, per: 1 }]
let server: Server | undefined
afterEach(() => server?.close())

/** A gateway of another vendor: only a limiter. Windows are one second, so slow machines often miss the deadline. */
async function gatewayWith(rate: RateSubject, wrong: { more?: number; retryLate?: number } = {}) {
  const limiters = new Map<string, ReturnType<RateSubject['make']>>()
  server = createServer(async (request, response) => {
    const counter = String(request.headers['authorization'])
    const limit = { rate: Number(request.headers['x-rate']) + (wrong.more ?? 0), per: Number(request.headers['x-per']) }
    const limiter = limiters.get(counter) ?? rate.make(limit)
    limiters.set(counter, limiter)
    const now = Date.now()
    const taken = await limiter.take(counter, now, 1)
    const waitSeconds = Math.ceil((taken.resetAt - now) / 1000) + (wrong.retryLate ?? 0)
    response.writeHead(taken.allowed ? 200 : 429, taken.allowed ? {} : { 'retry-after': String(waitSeconds) }).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  return httpSubject({
    name: rate.name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    traits: { ...rate.traits, remaining: 'not-reported' },
    headersOf: (counter, { rate: most, per }) => ({ authorization: counter, 'x-rate': `${most}`, 'x-per': `${per}` }),
  })
}

const judge = async (property: PropertyWithCases<RateSubject, RateCase>, rate: RateSubject) => {
  const subject = await gatewayWith(rate)
  const cases = gridCases(rate.traits, limits)
  return runInRealTime(property, subject, cases, { cases: 6, together: 6, seed: 5, tries: 1 })
}

/** Four concurrent requests on a limit of three, in a window that is long enough for a slow machine. */
const judgeBurst = async (
  property: PropertyWithCases<RateSubject, RateCase>,
  rate: RateSubject,
  per: number,
  wrong: object,
) => {
  const burst: RateCase = {
    limit: { rate: 3, per },
    requests: Array.from({ length: 4 }, () => ({ at: virtualEpoch, key: 'a', amount: 1 })),
  }
  return runInRealTime(property, await gatewayWith(rate, wrong), fc.constant(burst), { cases: 1, tries: 12 })
}

describe('a gateway over HTTP, in real time', { timeout: 120_000 }, () => {
  it.each([
    [rollingLogProperty, plainLogRate],
    [fixedWindowProperty, compatibleRate('fixed')],
    [noStarvationProperty, compatibleRate('local')],
    [headersProperty, plainLogRate],
  ])('keeps $name', async (property, rate) => {
    const report = await judge(property, rate)
    expect(report.holds, showRealTimeReport(report, rate.name)).toBe(true)
    expect(report.judged + report.blurred).toBe(6)
  })

  it('is reported if it admits one too many', async () => {
    const report = await judgeBurst(rollingLogProperty, plainLogRate, 20, { more: 1 })
    expect(report.broken?.reason).toMatch(/request \d+ is admitted, with 3 of 3 counted before it/)
  })

  it('is reported if it admits too few', async () => {
    const report = await judgeBurst(noStarvationProperty, compatibleRate('local'), 20, { more: -1 })
    expect(report.broken?.reason).toContain('is refused')
  })

  it('is reported if its retry time is too late', async () => {
    const report = await judgeBurst(headersProperty, plainLogRate, 3, { retryLate: 3 })
    expect(report.broken?.reason).toContain('before the reported time')
  })

  it('admits exactly its limit of concurrent requests', async () => {
    const subject = await gatewayWith(compatibleRate('local'))
    const crowd = {
      name: subject.name,
      begin: () => ({ subject: simultaneousRate(subject.begin().subject), blurred: () => undefined }),
    }
    const report = await runInRealTime(linearizabilityProperty, crowd, linearizabilityProperty.cases, {
      cases: 4,
      seed: 1,
    })
    expect(report.holds, showRealTimeReport(report, subject.name)).toBe(true)
  })
})
