/** The page of `turnpike bench --html` in a real browser, light and dark: no problem of accessibility, no script. */
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser, skipWithoutBrowser } from '../../../turnpike/test/support/browser.ts'
import { machineFacts } from '../measurement/machine-facts.ts'
import { mapPercentiles, metricOf } from '../measurement/metric.ts'
import { benchHtml } from './bench-page.ts'
import type { BenchReport } from './bench-report.ts'
import { compareReports } from './compare-reports.ts'

skipWithoutBrowser('the page of turnpike bench in a browser')

const metric = metricOf([1, 2, 3])
const latency = mapPercentiles(() => metric)
const time = { duration: metricOf([6, 7, 8]), limitMs: 5 }
const one = { api: 'a', version: '', name: 'Orders', request: 'GET /orders/' }
const stages = [
  { stage: 'auth-token', phase: '2-identify', cost: metric },
  { stage: 'key-limits', phase: '3-admit', cost: metric },
]
const report: BenchReport = {
  kind: 'turnpike-bench',
  version: '0.1.0',
  at: '2026-01-01T00:00:00.000Z',
  machine: { ...machineFacts(), load: 100 },
  calibration: metric,
  ways: [{ ...one, status: 200, total: metricOf([9, 10, 11]), latency, stages }],
  batches: [1, 10].map((items) => ({
    ...one,
    items,
    answered: items,
    perItem: { parallel: metric, inOrder: metric },
    concurrency: 64,
    durations: [{ upstreamMs: 5, latencyMs: 5.1, parallel: time, inOrder: time }],
  })),
  reloads: [
    {
      name: 'one changed',
      definitions: 1,
      duration: metric,
      latency,
      undisturbed: latency,
      worst: {
        reloadMs: 3,
        requests: [
          [-1, 0.1],
          [0, 3],
          [1, 2],
          [2, 1],
        ],
      },
    },
  ],
  leftOut: ['Ledger: is internal'],
}
const slower = { ...report, ways: report.ways.map((cost) => ({ ...cost, total: metricOf([90, 100, 110]) })) }

describe.skipIf(!hasBrowser)('the page of turnpike bench', { timeout: 60_000 }, () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  beforeAll(async () => {
    browser = await launchBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  it.each(['light', 'dark'] as const)('is accessible in %s mode', async (colorScheme) => {
    const page = await browser.newPage({ colorScheme })
    await page.setContent(benchHtml(slower, compareReports(report, slower)))
    await page.evaluate(axe.source)
    const problems = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    })
    expect(problems).toEqual([])
    expect(await page.getByRole('heading').allTextContents()).toEqual([
      'turnpike bench',
      'Against the earlier result',
      'CPU time of a request, by phase and stage',
      'Latency of a request',
      'Batches',
      'Reloads of 1 definition',
      'Not measured, or not whole',
    ])
    await page.close()
  })
})
