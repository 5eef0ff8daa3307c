// Starts a gateway from a bundle, asks it for what gateways are asked first, and keeps what V8 has compiled by then
// beside the bundle, for later starts. Called by bundle.mjs.
//
//   node scripts/bundle-warm-up.mjs FOLDER
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachePath, loadBundle } from '../packages/turnpike/dist/cli/load-bundle.js'

const [folder] = process.argv.slice(2)
const { main, makeCache } = loadBundle(folder)
const place = mkdtempSync(join(tmpdir(), 'turnpike-bundle-'))
const secret = 'secret-of-the-warm-up'
const upstream = createServer((_request, response) => response.end('{}'))
await new Promise((resolve) => upstream.listen(0, '127.0.0.1', resolve))
try {
  writeSample()
  const code = await runOnce(async (url) => {
    const status = async (path, headers = {}) => (await fetch(url + path, { headers })).status
    expectStatus(200, await status('/hello'))
    expectStatus(200, await status('/open/a'))
    expectStatus(401, await status('/keyed/a'))
    expectStatus(404, await status('/nowhere'))
    expectStatus(200, await status('/svc/apis', { 'x-svc-authorization': secret }))
    // Whole or not at all: a build that is broken off here leaves none.
    const file = cachePath(folder)
    writeFileSync(`${file}.new`, makeCache())
    renameSync(`${file}.new`, file)
  })
  if (code !== 0) throw new Error(`the gateway ended with ${code}`)
} finally {
  upstream.closeAllConnections()
  upstream.close()
  rmSync(place, { recursive: true, force: true })
}

function writeSample() {
  const target = `http://127.0.0.1:${upstream.address().port}/`
  mkdirSync(join(place, 'apps'))
  const api = (id, more) => ({
    ...{ name: id, api_id: id, org_id: 'sample', active: true, ...more },
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: `/${id}/`, target_url: target, strip_listen_path: true },
  })
  const keyed = { use_standard_auth: true, auth: { auth_header_name: 'Authorization' } }
  const apis = [api('open', { use_keyless: true }), api('keyed', keyed)]
  for (const each of apis) writeFileSync(join(place, 'apps', `${each.api_id}.json`), JSON.stringify(each))
  const config = { listen_address: '127.0.0.1', listen_port: 0, secret, app_path: 'apps', hash_keys: true }
  writeFileSync(join(place, 'gateway.json'), JSON.stringify(config))
}

/** Starts the gateway, calls `use` with its address, stops it; resolves with its exit code. */
async function runOnce(use) {
  const stops = []
  let used
  const complaints = []
  const out = (line) => {
    const { event, url } = JSON.parse(line)
    if (event !== 'started') return
    used = use(url).finally(() => {
      for (const stop of stops) stop('SIGTERM')
    })
  }
  const io = {
    ...{ out, outSoon: () => undefined, err: (text) => complaints.push(text) },
    ...{ isTerminal: false, environment: {}, cwd: place },
    onStop: (listener) => {
      stops.push(listener)
      return () => undefined
    },
  }
  const code = await main(['start', '--conf', 'gateway.json', '--json', '--no-requests', '--no-watch'], io)
  await used
  if (used === undefined) throw new Error(`the gateway did not start: ${complaints.join('\n')}`)
  return code
}

function expectStatus(wanted, status) {
  if (status !== wanted) throw new Error(`answered ${status}, not ${wanted}`)
}
