/**
 * The documentation page in a real browser: it lists every operation, needs nothing from anywhere else, complains of
 * nothing, can be used, and can be read in light and in dark. Needs Chromium: `apt-get install chromium`.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Folder, makeFolder, managementKey, openApi } from './support/folder.ts'
import { type RunningGateway, startGateway } from './support/process.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = process.env['TURNPIKE_CHROMIUM'] ?? places.find((place) => existsSync(place))
const inCi = !['', '0', 'false', undefined].includes(process.env['CI'])

if (executablePath === undefined) {
  const reason = 'no Chromium; apt-get install chromium'
  it('the documentation page in a browser', ({ skip }) => {
    if (inCi) throw new Error(reason)
    skip(reason)
  })
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
}

describe.skipIf(executablePath === undefined)('the documentation page', () => {
  let folder: Folder
  let gateway: RunningGateway
  let browser: Browser
  let operations: { id: string; method: string; path: string }[]
  beforeAll(async () => {
    folder = makeFolder({ docs: { enabled: true } })
    folder.write('apps/open.json', openApi('open', 'http://127.0.0.1:1/'))
    gateway = await startGateway(folder)
    // No other machine can be resolved: the page must not need one.
    const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
    browser = await chromium.launch({ executablePath: executablePath ?? '', args })
    const said = await fetch(`${gateway.url}/svc/docs/openapi.json`)
    const document = (await said.json()) as OpenApi
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
      })),
    )
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    gateway?.child.kill('SIGKILL')
    folder?.remove()
  })

  /** Opens the page and collects its console errors and requests. */
  async function open(colorScheme: 'light' | 'dark' = 'light') {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    page.setDefaultTimeout(5_000)
    const complaints: string[] = []
    const asked: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${gateway.url}/svc/docs`, { waitUntil: 'networkidle' })
    return { page, complaints, asked, close: () => context.close() }
  }

  it('lists every operation with its method and path, in a page of its own', async () => {
    const { page, complaints, asked, close } = await open()
    expect(operations.length).toBeGreaterThan(30)
    for (const { id, method, path } of operations) {
      const text = (await page.locator(`#${id} > summary`).textContent()) ?? ''
      expect(text, id).toContain(method)
      expect(text, id).toContain(path)
      expect(text.length, id).toBeGreaterThan(method.length + path.length + 5)
    }
    expect(complaints).toEqual([])
    expect(asked).toEqual([`${gateway.url}/svc/docs`])
    await close()
  })

  it('opens each operation and shows its responses, without anything out of its bounds', async () => {
    const { page, complaints, close } = await open()
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    for (const { id } of operations) expect(await page.locator(`#${id} table tr`).count(), id).toBeGreaterThan(0)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
    expect(wide).toBe(false)
    await page.setViewportSize({ width: 390, height: 800 })
    const wideOnPhone = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(wideOnPhone).toBe(false)
    expect(complaints).toEqual([])
    await close()
  })

  it('calls an operation with the management key, and shows what came back', async () => {
    const { page, complaints, close } = await open()
    const tryIt = async (id: string) => {
      const block = page.locator(`#${id}`)
      if (!(await block.evaluate((details) => (details as HTMLDetailsElement).open)))
        await block.locator('summary').click()
      await block.locator('button').click()
      const output = block.locator('output')
      await expect.poll(() => output.textContent()).toMatch(/^\d{3} /)
      return (await output.textContent()) ?? ''
    }
    // The browser itself notes the 403 on its console.
    expect(await tryIt('listApis')).toMatch(/^403 /)
    complaints.length = 0
    await page.fill('#key', managementKey)
    expect(await tryIt('listApis')).toMatch(/^200 [\s\S]*"api_id": "open"/)
    await page.locator('#getApi summary').click()
    await page.locator('#getApi input[name=id]').fill('open')
    expect(await tryIt('getApi')).toMatch(/^200 [\s\S]*"listen_path": "\/open\/"/)
    await page.locator('#addCustomKey summary').click()
    await page.locator('#addCustomKey input[name=name]').fill('made-here')
    await page.locator('#addCustomKey textarea').fill('{"org_id":"acme","access_rights":{"open":{}}}')
    expect(await tryIt('addCustomKey')).toMatch(/^200 [\s\S]*"action": "added"/)
    expect(complaints).toEqual([])
    await close()
  })

  it.each(['light', 'dark'] as const)('can be read in %s', async (scheme) => {
    const { page, close } = await open(scheme)
    await page.evaluate(() => {
      for (const details of [...document.querySelectorAll('details')].slice(0, 3)) details.open = true
    })
    if (process.env['TURNPIKE_SCREENSHOTS'] !== undefined) {
      await page.screenshot({ path: `${process.env['TURNPIKE_SCREENSHOTS']}/docs-${scheme}.png` })
    }
    const ratios = await contrasts(page)
    for (const { what, ratio } of ratios) expect(ratio, what).toBeGreaterThanOrEqual(4.5)
    expect(ratios.length).toBeGreaterThan(5)
    const [background] = ratios
    expect((background?.backgroundLightness ?? 0) > 0.5).toBe(scheme === 'light')
    await close()
  })
})

interface Contrast {
  readonly what: string
  readonly ratio: number
  readonly backgroundLightness: number
}

/** Contrast of texts against what is behind them, by WCAG 2. Colours are read off a canvas, which knows them all. */
function contrasts(page: Page): Promise<Contrast[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (canvas === null) throw new Error('no canvas')
    const paint = (colours: string[]) => {
      canvas.clearRect(0, 0, 1, 1)
      for (const colour of colours) {
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
    }
    const lightness = (rgb: number[]) => {
      const [r = 0, g = 0, b = 0] = rgb.map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const probe = document.createElement('div')
    probe.style.color = 'Canvas'
    document.body.append(probe)
    const canvasColour = getComputedStyle(probe).color
    probe.remove()
    return [
      'h1',
      'h1 small',
      'p',
      'p a',
      'summary',
      'summary .method',
      'summary code',
      'td',
      'td code',
      'label',
      'input',
      'button',
    ].flatMap((selector) => {
      const element = document.querySelector(selector)
      if (element === null) return []
      const behind: string[] = []
      for (let at: Element | null = element; at !== null; at = at.parentElement)
        behind.unshift(getComputedStyle(at).backgroundColor)
      const background = [canvasColour, ...behind]
      const dark = lightness(paint(background))
      const text = lightness(paint([...background, getComputedStyle(element).color]))
      const [high, low] = dark > text ? [dark, text] : [text, dark]
      return [{ what: selector, ratio: (high + 0.05) / (low + 0.05), backgroundLightness: dark }]
    })
  })
}
