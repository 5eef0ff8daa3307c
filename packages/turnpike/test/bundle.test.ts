/** A start from the bundle that `npm run build` makes, and one from the modules it is made of, serve alike. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Folder, makeFolder, openApi } from './support/folder.ts'
import { startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))
const bundle = fileURLToPath(new URL('../dist/bundle', import.meta.url))
const loader = new URL('../dist/cli/load-bundle.js', import.meta.url).href

/** Types alone may have been built since; then bin/turnpike.js does not start from it either. */
const isFresh =
  existsSync(`${bundle}/start.js`) &&
  readdirSync(packages)
    .map((name) => `${packages}${name}/dist/.tsbuildinfo`)
    .every((stamp) => !existsSync(stamp) || statSync(stamp).mtimeMs < statSync(`${bundle}/start.js`).mtimeMs)

let upstream: RecordingUpstream
let folder: Folder
beforeAll(async () => {
  upstream = await startRecordingUpstream()
  folder = makeFolder()
  folder.write('apps/open.json', openApi('open', upstream.url))
})
afterAll(async () => {
  await upstream.close()
  folder.remove()
})

describe.skipIf(!isFresh)('the bundle (npm run build)', () => {
  it('has the code that V8 compiled of it, for this Node', () => {
    const tell = `import(${JSON.stringify(loader)}).then((it) => console.log(it.loadBundle(${JSON.stringify(bundle)}).usesCache))`
    const env = { PATH: process.env['PATH'] }
    expect(execFileSync(process.execPath, ['-e', tell], { env, encoding: 'utf8', timeout: 60_000 })).toBe('true\n')
  })
})

describe('turnpike start', () => {
  it.each([
    ['from the bundle, where there is a fresh one', {}],
    // V8 takes no code that was compiled under other flags than its own.
    ['from the bundle without compiled code', { NODE_OPTIONS: '--stack-trace-limit=20' }],
    ['from the modules, so that stack traces tell lines of the source', { NODE_OPTIONS: '--enable-source-maps' }],
  ])('serves %s', async (_name, environment) => {
    const gateway = await startForTest(folder, ['--port', '0'], { environment })
    const answer = await fetch(`${gateway.url}/open/a`)
    expect(answer.status).toBe(200)
    expect((await fetch(`${gateway.url}/svc/apis`)).status).toBe(403)
    expect(await gateway.manage('GET', '/svc/apis')).toMatchObject({ status: 200, body: [{ api_id: 'open' }] })
    expect(gateway.err()).not.toMatch(/warning|error/i)
    expect(await gateway.stop()).toBe(0)
  })
})
