/** The files that `turnpike judge URL` writes, and the page in a real browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser, skipWithoutBrowser } from '../../turnpike/test/support/browser.ts'
import { closeSmallGateways, fixedWindow, runJudge, startSmallGateway } from './support/small-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-judge-reports-'))
const [page, junit, sarif] = ['judge.html', 'judge.xml', 'judge.sarif'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const options = ['--limit', '3/300ms', '--key-header', 'X-Key', '--seconds', '8', '--seed', '7']
let judged: Awaited<ReturnType<typeof runJudge>>

beforeAll(async () => {
  const url = await startSmallGateway(fixedWindow(3, 300, 10))
  judged = await runJudge(url, ...options, '--html', page, '--junit', junit, '--sarif', sarif, '--github')
}, 60_000)
afterAll(() => {
  closeSmallGateways()
  rmSync(folder, { recursive: true, force: true })
})

it('writes JUnit XML with a case for each attack', () => {
  const text = readFileSync(junit, 'utf8')
  expect(text).toMatch(/<testsuite name="turnpike judge: 3 in 0.3 s" tests="\d+" failures="1"/)
  expect(text).toMatch(
    /name="crowd">\n\s+<failure message="at 0 ms of \d+ concurrent requests [^"]+" type="contradiction">/,
  )
  expect(text).toMatch(/name="pace"\/>/)
  expect(judged.code).toBe(1)
})

it('writes SARIF without a place, because a gateway has no file', () => {
  const [run] = JSON.parse(readFileSync(sarif, 'utf8')).runs
  expect(run.tool.driver).toMatchObject({ name: 'turnpike judge', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  const found = run.results.filter(({ level }: { level: string }) => level === 'error')
  expect(found).toEqual([
    expect.objectContaining({
      ruleId: 'contradiction',
      message: { text: expect.stringMatching(/^at 0 ms of \d+ concurrent/) },
    }),
  ])
  expect(found[0].locations).toBeUndefined()
})

it('prints annotations for GitHub Actions', () => {
  expect(judged.out).toMatch(/^::error title=turnpike judge%3A contradiction::at 0 ms of \d+ concurrent requests/m)
})

it('names the entry of a file in SARIF and annotations', async () => {
  const url = await startSmallGateway(() => ({ admitted: true }))
  const [file, entrySarif, entryPage] = ['limits.yaml', 'entry.sarif', 'entry.html'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  writeFileSync(file, `url: ${url}\nkey: { header: X-Key }\nlimits:\n  - { name: small, limit: 2/200ms }\n`)
  const { out } = await runJudge(
    '--file',
    file,
    '--seconds',
    '4',
    '--sarif',
    entrySarif,
    '--github',
    '--html',
    entryPage,
  )
  const [run] = JSON.parse(readFileSync(entrySarif, 'utf8')).runs
  expect(run.results[0].locations[0].physicalLocation.region).toEqual({ startLine: 4 })
  expect(out).toMatch(/^::error file=\S+limits\.yaml,line=4,title=/m)
  expect(readFileSync(entryPage, 'utf8')).toContain('<h2>small</h2>')
})

it('says before the run which file it cannot write', async () => {
  const { code, err } = await runJudge('http://127.0.0.1:1/', ...options, '--html', 'missing/judge.html')
  expect([code, err]).toEqual([2, expect.stringContaining('--html missing/judge.html cannot be written')])
  const folderAsFile = await runJudge('http://127.0.0.1:1/', ...options, '--junit', folder)
  expect(folderAsFile.err).toContain(`--junit ${folder} is a folder`)
})

skipWithoutBrowser('the page of turnpike judge in a browser')

describe.skipIf(!hasBrowser)('the page', { timeout: 60_000 }, () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  beforeAll(async () => {
    browser = await launchBrowser()
  }, 60_000)
  afterAll(() => browser?.close())

  it.each(['light', 'dark'] as const)(
    'is accessible in %s mode and shows the finding as a chart',
    async (colorScheme) => {
      const tab = await browser.newPage({ colorScheme })
      await tab.setContent(readFileSync(page, 'utf8'))
      await tab.locator('summary').click()
      await tab.evaluate(axe.source)
      const problems = await tab.evaluate(async () => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
      expect(problems).toEqual([])
      expect(await tab.getByRole('heading', { level: 1 }).textContent()).toBe('1 finding')
      expect(await tab.getByRole('img').first().getAttribute('aria-label')).toMatch(
        /^at 0 ms of \d+ concurrent requests/,
      )
      expect(await tab.locator('circle').count()).toBeGreaterThan(3)
      expect(await tab.locator('pre').textContent()).toContain('#!/usr/bin/env bash')
      expect(await tab.locator('script, link, img').count()).toBe(0)
      await tab.close()
    },
  )
})
