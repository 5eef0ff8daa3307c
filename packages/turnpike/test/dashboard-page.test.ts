/**
 * The dashboard in a real browser: a login by token, traffic as it happens with stage and reason of what was rejected,
 * bars that move, reloads, and the end of a session; readable in light and dark, on narrow windows, and for who does
 * not see it.
 */
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, launchBrowser, skipWithoutBrowser } from './support/browser.ts'
import { type Folder, keyedApi, makeFolder, openApi, sessionFor } from './support/folder.ts'
import { type RunningGateway, startGateway } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const adminSecret = 'admin-secret-of-the-test'
const views = ['traffic', 'charts', 'apis', 'keys', 'policies', 'reloads'] as const
const patience = { timeout: 15_000 }

skipWithoutBrowser('the dashboard in a browser')

describe.skipIf(!hasBrowser)('the dashboard page', { timeout: 90_000 }, () => {
  let folder: Folder
  let upstream: RecordingUpstream
  let gateway: RunningGateway
  let browser: Browser

  beforeAll(async () => {
    upstream = await startRecordingUpstream()
    folder = makeFolder({
      dashboard: {
        enabled: true,
        listen_port: 0,
        home_path: '/dashboard',
        admin_secret: adminSecret,
        organisations: [{ id: 'acme', owner_name: 'Acme' }],
        user_groups: [{ id: 'readers', org_id: 'acme', user_permissions: { apis: 'read' } }],
      },
    })
    folder.write('apps/open.json', openApi('open', upstream.url))
    folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
    folder.write('policies/gold.json', { id: 'gold', org_id: 'acme', name: 'Gold', active: true, rate: 5, per: 10 })
    gateway = await startGateway(folder)
    const limits = { rate: 3, per: 60, quota_max: 100, quota_renewal_rate: 3600, alias: 'Anna' }
    await gateway.manage('POST', '/svc/keys/anna', { ...sessionFor('keyed'), ...limits })
    browser = await launchBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    gateway?.child.kill('SIGKILL')
    await upstream?.close()
    folder?.remove()
  })

  async function login(payload: object = {}): Promise<string> {
    const body = JSON.stringify({ OrgID: 'acme', ForSection: 'dashboard', DisplayName: 'Eve', ...payload })
    const response = await fetch(`${gateway.url}/admin/sso`, {
      method: 'POST',
      headers: { 'Admin-Auth': adminSecret },
      body,
    })
    const { Meta } = (await response.json()) as { Meta: string }
    return `${gateway.url}/tap?nonce=${Meta}`
  }

  interface Opened {
    readonly page: Page
    readonly context: BrowserContext
    readonly complaints: string[]
    readonly asked: string[]
  }

  async function open(options: Parameters<Browser['newContext']>[0] = {}, payload: object = {}): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const [complaints, asked]: [string[], string[]] = [[], []]
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(await login(payload))
    return { page, context, complaints, asked }
  }

  const isLive = (page: Page) => page.locator('#link[data-state=live]').waitFor()
  const turnTo = (page: Page, view: string) => page.locator(`#tabs a[href="#${view}"]`).click()
  const askKeyed = (key: string) => fetch(`${gateway.url}/keyed/x`, { headers: { Authorization: key } })

  it('is behind the login: a token opens it once', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    expect((await page.goto(`${gateway.url}/dashboard`))?.status()).toBe(401)
    expect(await page.textContent('h1')).toBe('Nobody is signed in')
    const address = await login()
    await page.goto(address)
    expect(page.url()).toBe(`${gateway.url}/dashboard`)
    await expect.poll(() => page.textContent('#user'), patience).toBe('Eve')
    expect(await page.textContent('#organisation')).toBe('Acme')
    await page.goto(address)
    expect(await page.textContent('body')).toContain('Not authorised')
    await context.close()
  })

  it('asks nobody but its gateway, and its policy lets it run nothing but its own', async () => {
    const { page, context, complaints, asked } = await open()
    await isLive(page)
    for (const view of views) await turnTo(page, view)
    await page.locator('#reloads-title').waitFor()
    expect(asked.filter((url) => !url.startsWith(gateway.url))).toEqual([])
    expect(complaints).toEqual([])
    const { headers } = await fetch(`${gateway.url}/dashboard`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    await context.close()
  })

  it('shows a rejection as it happens, with its stage and reason', async () => {
    const { page, context } = await open()
    await isLive(page)
    await askKeyed('nobody')
    const row = page.locator('tbody tr.rejected', { hasText: 'auth-token' }).first()
    await row.waitFor()
    expect(await row.textContent()).toContain('403')
    expect(await row.textContent()).toContain('Access to this API has been disallowed')
    expect(await row.textContent()).toContain('/keyed/x')
    expect(await row.locator('.way').getAttribute('aria-label')).toBe('rejected before it was identified')
    await fetch(`${gateway.url}/open/hello`)
    await page.locator('tbody tr.passed', { hasText: '/open/hello' }).waitFor()
    await page.getByRole('button', { name: 'Rejected only' }).click()
    expect(await page.locator('tbody tr.passed:visible').count()).toBe(0)
    await context.close()
  })

  it('opens a request: why it was rejected, stages, limits and headers without credentials; and runs it again', async () => {
    const { page, context, complaints } = await open()
    await isLive(page)
    await gateway.manage('POST', '/svc/keys/bella', { ...sessionFor('keyed'), rate: 2, per: 60, alias: 'Bella' })
    for (let i = 0; i < 3; i++) await askKeyed('bella')
    await page
      .locator('tbody tr.rejected', { hasText: 'key-limits' })
      .getByRole('button', { name: /^Details of/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const text = (await dialog.textContent()) ?? ''
    expect(text).toContain('The stage key-limits rejected the request with 429')
    expect(text).toMatch(
      /Key "[0-9a-f]+" \(Bella\) sets the rate of 2 requests in 60 s\. (Retry in \d+ s|There is room again now)\./,
    )
    const limit = dialog
      .getByRole('table', { name: /^Limits/ })
      .getByRole('row')
      .nth(1)
    expect(await limit.getByRole('cell').allTextContents()).toEqual([
      'Rate of the key',
      '2 in 1 min',
      '0',
      '0, exceeded',
      '1 min later',
    ])
    expect(text).toContain('auth-token')
    expect(text).toMatch(/\d+ µs/)
    expect(text).toContain('authorization[masked]')
    expect(text).not.toContain('bella')
    await dialog.getByRole('button', { name: 'Run again' }).click()
    await expect.poll(() => dialog.textContent(), patience).toContain('Nothing was counted')
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows markup in paths, queries and headers as text', async () => {
    const { page, context, complaints } = await open()
    await isLive(page)
    const markup = '<img src=x onerror=alert(1)>'
    await fetch(`${gateway.url}/open/%3Cimg%20src=x%20onerror=alert(1)%3E?q=${encodeURIComponent(markup)}`, {
      headers: { 'X-Markup': markup, 'User-Agent': '<script>alert(1)</script>' },
    })
    await page
      .locator('tbody tr', { hasText: 'onerror' })
      .first()
      .getByRole('button', { name: /^Details/ })
      .click()
    await page.getByRole('dialog').waitFor()
    expect(await page.getByRole('dialog').textContent()).toContain(markup)
    expect(await page.locator('#main img, dialog img, dialog script').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('draws the last hour, with the same numbers as text', async () => {
    const { page, context } = await open()
    await isLive(page)
    await askKeyed('nobody')
    await turnTo(page, 'charts')
    const rejections = page.getByRole('figure', { name: /^Rejections/ })
    await rejections.locator('rect').first().waitFor()
    expect(await rejections.getByRole('img').getAttribute('aria-label')).toMatch(
      /^Rejections per minute, by stage: at most/,
    )
    await rejections.getByText('Numbers').click()
    expect(await rejections.getByRole('columnheader').allTextContents()).toContain('auth-token')
    expect(
      await page
        .getByRole('figure', { name: /^Duration/ })
        .locator('circle')
        .count(),
    ).toBeGreaterThan(0)
    await context.close()
  })

  it('shows what a key has used as bars that move, and never the key', async () => {
    const { page, context } = await open()
    await isLive(page)
    await turnTo(page, 'keys')
    const row = page.getByRole('row', { name: 'Anna' })
    await row.getByRole('button').click()
    const rate = page.getByRole('meter', { name: 'Rate on keyed' })
    const quota = page.getByRole('meter', { name: 'Quota on keyed' })
    const width = () => rate.locator('span').evaluate((fill) => fill.getBoundingClientRect().width)
    await expect.poll(() => quota.getAttribute('aria-valuetext'), patience).toBe('0 of 100')
    const before = await width()
    for (let i = 0; i < 2; i++) expect((await askKeyed('anna')).status).toBe(200)
    await expect.poll(() => quota.getAttribute('aria-valuetext'), patience).toBe('2 of 100')
    await expect.poll(() => rate.getAttribute('aria-valuenow'), patience).toBe('2')
    await expect.poll(width, patience).toBeGreaterThan(before + 50)
    expect(await page.content()).not.toContain('>anna<')
    await context.close()
  })

  it('creates a key that is shown once, and edits it', async () => {
    const { page, context, complaints } = await open()
    await isLive(page)
    await turnTo(page, 'keys')
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => dialog.getByRole('alert').textContent(), patience).toContain('A key needs at least one API')
    await dialog.getByLabel('Alias').fill('Made here')
    await dialog.getByRole('group', { name: 'APIs' }).getByLabel('keyed').check()
    await dialog.getByLabel('Rate: requests').fill('9')
    await dialog.getByLabel('Rate: in seconds').fill('60')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const key = await dialog.getByLabel('The new key').inputValue()
    expect((await askKeyed(key)).status).toBe(200)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row', { name: 'Made here' }).getByRole('button').click()
    expect(await page.content()).not.toContain(key)
    expect(await page.getByLabel('The new key').count()).toBe(0)
    await page.getByRole('button', { name: 'Edit key' }).click()
    expect(await dialog.getByLabel('Rate: requests').inputValue()).toBe('9')
    await dialog.getByLabel('Inactive').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('The key was saved.').waitFor()
    expect((await askKeyed(key)).status).toBe(403)
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([])
    await context.close()
  })

  it('does not overwrite a policy that changed, and keeps the text of the editor', async () => {
    const { page, context } = await open()
    await isLive(page)
    await turnTo(page, 'policies')
    const edit = page.getByRole('button', { name: 'Edit policy Gold' })
    await edit.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Rate: requests').fill('77')
    folder.write('policies/gold.json', { id: 'gold', org_id: 'acme', name: 'Gold', active: true, rate: 8, per: 10 })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => dialog.getByRole('alert').textContent(), patience).toContain('changed after you opened it')
    await dialog.getByRole('button', { name: 'Load the current version' }).click()
    await dialog.getByText('Your changes').click()
    expect(await dialog.getByLabel('Text before loading').inputValue()).toContain('"rate": 77')
    expect(await dialog.getByLabel('Rate: requests').inputValue()).toBe('8')
    await dialog.getByText('All fields as JSON').click()
    await dialog.getByLabel('Document as JSON').fill('{ "rate": }')
    await dialog.getByRole('button', { name: 'Save' }).click()
    expect(await dialog.getByRole('alert').textContent()).toContain('The JSON cannot be parsed')
    await context.close()
  })

  it('creates and deletes an API with the keyboard', async () => {
    const { page, context } = await open()
    await isLive(page)
    await turnTo(page, 'apis')
    await page.getByRole('button', { name: 'New API' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Id').fill('typed')
    await dialog.getByLabel('Name').fill('Typed')
    await dialog.getByLabel('Listen path').fill('/typed-here/')
    await dialog.getByLabel('Target URL').fill(upstream.url)
    await dialog.getByLabel('Name').press('Enter')
    await dialog.getByText('The API was created.').waitFor()
    expect((await fetch(`${gateway.url}/typed-here/x`)).status).toBe(200)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit API Typed' }).press('Enter')
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    await dialog.getByRole('button', { name: 'Delete for good' }).press('Enter')
    await dialog.getByText('The API was deleted.').waitFor()
    expect((await fetch(`${gateway.url}/typed-here/x`)).status).toBe(404)
    await context.close()
  })

  it('reloads, and says what came of it', async () => {
    const { page, context } = await open()
    await isLive(page)
    await turnTo(page, 'apis')
    await page.getByRole('heading', { name: 'keyed' }).waitFor()
    expect(await page.getByRole('heading', { name: 'fresh' }).count()).toBe(0)
    folder.write('apps/fresh.json', openApi('fresh', upstream.url))
    folder.write('apps/broken.json', '{ "api_id": "broken", ')
    await page.locator('#reload').click()
    await expect.poll(() => page.textContent('#notice'), patience).toMatch(/^Reloaded in .*1 definition could not be/)
    await page.getByRole('heading', { name: 'fresh' }).waitFor()
    await turnTo(page, 'reloads')
    const report = page.locator('.report')
    await expect.poll(() => report.textContent(), patience).toContain('broken.json, line 1')
    expect(await report.textContent()).toContain('fresh.json')
    await context.close()
  })

  it('shows a reload that somebody else asked for', async () => {
    const { page, context } = await open()
    await isLive(page)
    await gateway.manage('GET', '/svc/reload?block=true')
    await expect.poll(() => page.textContent('#notice'), patience).toMatch(/^Reloaded in /)
    await context.close()
  })

  it('ends with the session', async () => {
    const { page, context } = await open()
    await isLive(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => page.textContent('h1'), patience).toBe('Nobody is signed in')
    expect(await context.cookies()).toEqual([])
    await context.close()
  })

  it('offers a reader what he may read, and nothing to change', async () => {
    const { page, context, complaints } = await open({}, { GroupID: 'readers' })
    await page.getByRole('heading', { name: 'APIs' }).waitFor()
    expect(await page.locator('#tabs').textContent()).toBe('APIsReloads')
    expect(await page.locator('#reload').isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('can be used with the keyboard alone', async () => {
    const { page, context } = await open()
    await isLive(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Keys') break
    }
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)
    expect(outline).toBe('solid')
    await page.keyboard.press('Enter')
    await page.locator('#keys-title').waitFor()
    await context.close()
  })

  async function barriers(page: Page): Promise<string[]> {
    const found = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run()
      return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html).join(' | ')}`)
    })
    return found.filter((one) => /^(serious|critical) /.test(one))
  }

  const widths = { desktop: { width: 1200, height: 800 }, phone: { width: 390, height: 844 } }
  it.each([
    ['light', 'desktop'],
    ['dark', 'desktop'],
    ['light', 'phone'],
    ['dark', 'phone'],
  ] as const)('has no serious barrier in %s on a %s, and fits', async (colorScheme, device) => {
    const options = { colorScheme, viewport: widths[device], bypassCSP: true, reducedMotion: 'reduce' as const }
    const { page, context } = await open(options)
    await isLive(page)
    await askKeyed('nobody')
    await page.locator('tbody tr.rejected').first().waitFor()
    await page.evaluate(axe.source)
    const check = async (what: string) => {
      expect(await barriers(page), what).toEqual([])
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(over, what).toBeLessThanOrEqual(0)
    }
    for (const view of views) {
      await turnTo(page, view)
      await page.locator(`#${view}-title`).waitFor()
      if (view === 'keys') {
        await page.getByRole('row', { name: 'Anna' }).getByRole('button').first().click()
        await page.getByRole('meter').first().waitFor()
      }
      if (view === 'charts') await page.locator('figure rect').first().waitFor()
      await check(view)
    }
    for (const [view, button] of [
      ['keys', 'New key'],
      ['policies', 'Edit policy Gold'],
      ['apis', 'New API'],
    ] as const) {
      await turnTo(page, view)
      await page.getByRole('button', { name: button }).click()
      const editor = page.getByRole('dialog')
      await editor.getByText('All fields as JSON').click()
      await check(button)
      expect(await editor.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
      await editor.getByRole('button', { name: 'Close' }).click()
    }
    await turnTo(page, 'traffic')
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
    await page.getByText('Nothing was counted').waitFor()
    await check('request')
    const sheet = page.getByRole('dialog')
    expect(await sheet.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    await context.close()
  })

  it('fits narrow windows', async () => {
    const { page, context } = await open({ viewport: { width: 360, height: 740 } })
    await isLive(page)
    await askKeyed('nobody')
    await page.locator('tbody tr.rejected').first().waitFor()
    for (const view of views) {
      await turnTo(page, view)
      await page.locator(`#${view}-title`).waitFor()
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(over, view).toBeLessThanOrEqual(0)
    }
    await context.close()
  })

  it('does not keep the gateway from stopping', async () => {
    const { page, context } = await open()
    await isLive(page)
    const stopped = Promise.race([gateway.stop(), new Promise((resolve) => setTimeout(resolve, 20_000, 'still there'))])
    expect(await stopped).toBe(0)
    await expect.poll(() => page.textContent('#link'), patience).toBe('Not connected, trying again')
    await context.close()
  })
})
