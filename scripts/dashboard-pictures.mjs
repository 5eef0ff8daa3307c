#!/usr/bin/env node
// Takes the screenshots of docs/dashboard.md in a real browser: the built gateway with the sample company and traffic.
//
//   node scripts/dashboard-pictures.mjs [--to docs/pictures] [--all]
//
// Needs `npm run build` before, and Chromium: `apt-get install chromium`, or its path in TURNPIKE_CHROMIUM.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({
  options: {
    to: { type: 'string', default: join(root, 'docs', 'pictures') },
    all: { type: 'boolean', default: false },
  },
})
/** The screenshots that docs/dashboard.md shows. */
const shown = [
  'dashboard-traffic-light',
  'dashboard-traffic-dark',
  'dashboard-request-light',
  'dashboard-charts-dark',
  'dashboard-apis-light',
  'dashboard-keys-dark',
  'dashboard-key-editor-light',
  'dashboard-phone-light',
  'dashboard-phone-request-dark',
]
const folder = mkdtempSync(join(tmpdir(), 'turnpike-pictures-'))
const port = 18_980

cpSync(join(root, 'fixtures', 'company'), folder, { recursive: true })
change('catalogue', (api) => {
  api.cache_options = { enable_cache: true, cache_timeout: 60, cache_all_safe_requests: true }
})
change('status', (api) => {
  const breaker = { path: '/flaky', method: 'GET', threshold_percent: 0.5, samples: 5, return_to_service_after: 60 }
  Object.assign(api.version_data.versions.Default, {
    use_extended_paths: true,
    extended_paths: { circuit_breakers: [breaker] },
  })
})
const config = JSON.parse(readFileSync(join(folder, 'gateway.json'), 'utf8'))
Object.assign(config, { listen_port: port, data_path: 'data', storage: { type: 'memory' } })
writeFileSync(join(folder, 'gateway.json'), JSON.stringify(config))

const url = `http://127.0.0.1:${port}`
const bin = join(root, 'packages/turnpike/bin/turnpike.js')
const gateway = spawn(process.execPath, [bin, 'start', '--conf', 'gateway.json', '--quiet'], { cwd: folder })
gateway.stderr.on('data', (text) => process.stderr.write(text))
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const executablePath = process.env.TURNPIKE_CHROMIUM ?? '/usr/bin/chromium'

/** Adds features that the sample company does not use: a cache and a circuit breaker. */
function change(id, how) {
  const file = join(folder, 'apps', `${id}.json`)
  const api = JSON.parse(readFileSync(file, 'utf8'))
  how(api)
  writeFileSync(file, JSON.stringify(api))
}

async function ask(path, headers = {}) {
  return (await fetch(url + path, { headers })).arrayBuffer()
}

async function traffic() {
  const shop = { Authorization: 'shop-website' }
  const partner = { 'X-Partner-Key': 'partner-north' }
  for (let i = 0; i < 4; i++) await ask(`/status/now?n=${i}`)
  for (let i = 1; i < 7; i++) await ask(`/orders/${i}`, shop)
  await ask('/orders/1', { Authorization: 'nobody' })
  for (let i = 0; i < 3; i++) await ask('/catalogue/shoes', { Authorization: 'partner-north' })
  for (let i = 0; i < 4; i++) await ask('/partner/hello', partner)
  await ask('/backoffice/people', { Authorization: `Basic ${btoa('anna:wrong')}` })
  await ask('/backoffice/people', { Authorization: `Basic ${btoa('anna:open-sesame')}` })
  for (let i = 0; i < 5; i++) await ask('/status/flaky?status=503')
  await ask('/status/after')
}

async function untilItAnswers() {
  for (let waited = 0; waited < 20_000; waited += 100) {
    const response = await fetch(`${url}/hello`).catch(() => undefined)
    if (response?.ok) return
    if (gateway.exitCode !== null) throw new Error('the gateway ended')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the gateway does not answer')
}

/** A view of a page that is signed in, with traffic. `prepare` opens what the picture shows. */
async function picture(browser, { scheme, view, size, name, prepare }) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: size, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const body = JSON.stringify({ OrgID: 'acme', ForSection: 'dashboard', DisplayName: 'Anna' })
  const made = await fetch(`${url}/admin/sso`, {
    method: 'POST',
    headers: { 'Admin-Auth': config.dashboard.admin_secret },
    body,
  })
  await page.goto(`${url}/tap?nonce=${(await made.json()).Meta}`)
  await page.locator('#link[data-state=live]').waitFor()
  if (view !== 'traffic') await page.locator(`#tabs a[href="#${view}"]`).click()
  await traffic()
  await page.waitForTimeout(1500)
  await prepare?.(page)
  await page.screenshot({ path: join(values.to, `${name}.png`) })
  await context.close()
}

/** The details of the last request that a rate limit rejected. */
async function openRejection(page) {
  const row = page.locator('tbody tr.rejected', { hasText: 'key-limits' }).first()
  await row.getByRole('button', { name: /^Details/ }).click()
  await page.getByRole('dialog').waitFor()
}

const chooseKey = (page) => page.getByRole('row', { name: 'Shop website' }).getByRole('button').click()

async function editKey(page) {
  await chooseKey(page)
  await page.getByRole('button', { name: 'Edit key' }).click()
  await page.getByRole('dialog').waitFor()
}

/** Rejections of several stages, so that the chart has several series. */
async function showCharts(page) {
  for (let i = 0; i < 3; i++) await ask('/orders/1', { Authorization: 'nobody' })
  await page.waitForTimeout(5500)
  await page.locator('figure rect').first().waitFor()
}

// Clean up even after an error.
process.once('exit', () => gateway.kill('SIGKILL'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const browser = await chromium.launch({ executablePath, args })
try {
  mkdirSync(values.to, { recursive: true })
  await untilItAnswers()
  const wide = { width: 1200, height: 760 }
  const tall = { width: 1200, height: 1230 }
  const phone = { width: 390, height: 844 }
  const prepared = { keys: chooseKey, charts: showCharts }
  const pictures = ['light', 'dark'].flatMap((scheme) => [
    ...['traffic', 'charts', 'apis', 'keys', 'policies', 'reloads'].map((view) => ({
      ...{
        scheme,
        view,
        size: view === 'charts' ? tall : wide,
        name: `dashboard-${view}-${scheme}`,
        prepare: prepared[view],
      },
    })),
    { scheme, view: 'traffic', size: wide, name: `dashboard-request-${scheme}`, prepare: openRejection },
    { scheme, view: 'keys', size: wide, name: `dashboard-key-editor-${scheme}`, prepare: editKey },
    { scheme, view: 'traffic', size: phone, name: `dashboard-phone-${scheme}` },
    { scheme, view: 'traffic', size: phone, name: `dashboard-phone-request-${scheme}`, prepare: openRejection },
  ])
  for (const one of pictures) if (values.all || shown.includes(one.name)) await picture(browser, one)
} finally {
  await browser.close()
  gateway.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
