/** The page of `turnpike verify --html` in a real browser: light, dark and narrow, with the chart of the shortest trace. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { makeTestIo } from 'turnpike/embedding'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser, skipWithoutBrowser } from '../../../../turnpike/test/support/browser.ts'
import { main } from '../../main.ts'

skipWithoutBrowser('the page of turnpike verify in a browser')

const fixtures = fileURLToPath(new URL('../../../../../fixtures', import.meta.url))

describe.skipIf(!hasBrowser)('the page of turnpike verify', { timeout: 120_000 }, () => {
  let folder: string
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  let broken: string
  let verified: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'turnpike-verify-page-'))
    browser = await launchBrowser()
    const pageOf = async (name: string) => {
      const io = makeTestIo({ cwd: join(fixtures, name) })
      const file = join(folder, 'page.html')
      await main(['verify', '.', '--seed', '1', '--seconds', '0', '--html', file], io)
      return readFileSync(file, 'utf8')
    }
    broken = await pageOf('faulty/half-a-second')
    verified = await pageOf('company')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const shapes = [
    ['light', 1200],
    ['dark', 1200],
    ['light', 390],
    ['dark', 390],
  ] as const

  it.each(shapes)('is accessible in %s mode at %i px', async (colorScheme, width) => {
    for (const html of [broken, verified]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
      await page.setContent(html)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await page.evaluate(axe.source)
      const problems = await page.evaluate(async () => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
      })
      expect(problems).toEqual([])
      await page.close()
    }
  })

  it('draws the trace that breaks a guarantee', async () => {
    const page = await browser.newPage()
    await page.setContent(broken)
    const sentence = /guarantees each key at most 1 request in 0\.5 s on "orders", yet 2 requests came through at once/
    const chart = page.getByRole('img', { name: sentence })
    // Two requests at one instant: one dot each, the second one against the guarantee.
    const dots = await chart
      .locator('circle')
      .evaluateAll((circles) =>
        circles.map((circle) => [circle.getAttribute('fill'), circle.querySelector('title')?.textContent]),
      )
    expect(dots).toEqual([
      ['var(--pass)', expect.stringMatching(/^0 ms: GET .* let through$/)],
      ['var(--wrong)', expect.stringMatching(/^0 ms: .* beyond the guarantee$/)],
    ])
    // On a narrow window the chart scrolls, so that its texts stay readable.
    await page.setViewportSize({ width: 390, height: 800 })
    expect((await chart.boundingBox())?.width).toBeGreaterThanOrEqual(640)
    expect(await page.getByRole('row').allTextContents()).toContainEqual(
      expect.stringContaining('beyond the guarantee'),
    )
    expect(broken).not.toMatch(/<script|href=|src=/)
    await page.close()
  })
})
