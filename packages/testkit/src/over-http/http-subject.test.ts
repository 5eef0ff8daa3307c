import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { RateCase, WrittenRate } from '../arbitraries/rate-cases.ts'
import type { TracedLaw } from '../laws/law.ts'
import { rollingLogLaw } from '../laws/law-01-rolling-log.ts'
import { fixedWindowLaw } from '../laws/law-02-fixed-window.ts'
import { noStarvationLaw } from '../laws/law-06-no-starvation.ts'
import { headersLaw } from '../laws/law-10-headers.ts'
import { simultaneousLaw, simultaneousRate } from '../laws/law-12-simultaneous.ts'
import type { RateSubject } from '../laws/rate-subject.ts'
import { recordedRate } from '../laws/recorded-rates.ts'
import { plainLogRate } from '../laws/textbook-rates.ts'
import { gridCases } from './grid-cases.ts'
import { httpSubject } from './http-subject.ts'
import { runInRealTime, showRealTimeReport } from './run-in-real-time.ts'

const limits: readonly WrittenRate[] = [{ rate: 3, per: 1 }]
let server: Server | undefined
afterEach(() => server?.close())

/** Somebody else's gateway: a limiter in front of nothing. Windows are a second, so busy machines often come late. */
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
    traits: { ...rate.traits, remaining: 'untold' },
    headersOf: (counter, { rate: most, per }) => ({ authorization: counter, 'x-rate': `${most}`, 'x-per': `${per}` }),
  })
}

const judge = async (law: TracedLaw<RateSubject, RateCase>, rate: RateSubject, wrong = {}, tries = 1) => {
  const subject = await gatewayWith(rate, wrong)
  const cases = gridCases(rate.traits, limits)
  return runInRealTime(law, subject, cases, { cases: 6, together: 6, seed: 5, tries })
}

describe('a gateway over HTTP, in real time', { timeout: 120_000 }, () => {
  it.each([
    [rollingLogLaw, plainLogRate],
    [fixedWindowLaw, recordedRate('fixed')],
    [noStarvationLaw, recordedRate('local')],
    [headersLaw, plainLogRate],
  ])('keeps $name', async (law, rate) => {
    const report = await judge(law, rate)
    expect(report.holds, showRealTimeReport(report, rate.name)).toBe(true)
    expect(report.judged + report.blurred).toBe(6)
  })

  it('is found to let one too many through', async () => {
    // Tried again until a case was in time: a fault like this shows in nearly all.
    const report = await judge(rollingLogLaw, plainLogRate, { more: 1 }, 10)
    expect(report.broken?.reason).toMatch(/request \d+ is admitted, with 3 of 3 counted before it/)
  })

  it('is found to let too few through', async () => {
    const report = await judge(noStarvationLaw, recordedRate('fixed'), { more: -1 }, 10)
    expect(report.broken?.reason).toContain('is refused')
  })

  it('is found to tell a time that is too late', async () => {
    const report = await judge(headersLaw, plainLogRate, { retryLate: 3 }, 10)
    expect(report.broken?.reason).toContain('before the told time')
  })

  it('admits exactly its limit of requests that come together', async () => {
    const subject = await gatewayWith(recordedRate('local'))
    const crowd = {
      name: subject.name,
      begin: () => ({ subject: simultaneousRate(subject.begin().subject), blurred: () => undefined }),
    }
    const report = await runInRealTime(simultaneousLaw, crowd, simultaneousLaw.cases, { cases: 10, seed: 1 })
    expect(report.holds, showRealTimeReport(report, subject.name)).toBe(true)
  })
})
