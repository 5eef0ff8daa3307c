/**
 * Kills a writing process at random moments, repeatedly on the same folder, and checks the data on disk each time.
 * The child reports when an operation starts and when it is acknowledged. It runs a bundle of the store.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sessionShape } from '@turnpike/core/ports'
import { plainCounter } from '@turnpike/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLmdbStore } from './store-lmdb.ts'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const bundleFolder = join(packageFolder, 'node_modules', '.crash-test')
let folder: string

beforeAll(async () => {
  mkdirSync(bundleFolder, { recursive: true })
  folder = mkdtempSync(join(tmpdir(), 'turnpike-crash-'))
  const vitest = realpathSync(createRequire(import.meta.url).resolve('vitest/package.json'))
  const vite = await import(pathToFileURL(createRequire(vitest).resolve('vite')).href)
  await vite.build({
    configFile: false,
    logLevel: 'silent',
    root: packageFolder,
    build: {
      ssr: fileURLToPath(new URL('./store-lmdb.ts', import.meta.url)),
      outDir: bundleFolder,
      emptyOutDir: true,
      rollupOptions: { external: ['lmdb', 'msgpackr'] },
    },
    resolve: { conditions: ['source'] },
    ssr: { noExternal: [/^@turnpike/], external: ['lmdb', 'msgpackr'], resolve: { conditions: ['source'] } },
  })
  writeFileSync(join(bundleFolder, 'child.mjs'), child)
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(bundleFolder, { recursive: true, force: true })
})

const child = `
import { writeSync } from 'node:fs'
import { makeLmdbStore } from './store-lmdb.js'
const [path, mode, round, template] = process.argv.slice(2)
const say = (line) => writeSync(1, line + '\\n')
const store = await makeLmdbStore({ path })
say('ready')
if (mode === 'keys') {
  let version = 0
  const work = async (lane) => {
    for (;;) {
      const name = 'key-' + lane + '-' + Math.floor(Math.random() * 8)
      const alias = round + '.' + ++version
      if (Math.random() < 0.3) {
        say('begin remove ' + name + ' -')
        await store.sessions.remove(name)
        say('done remove ' + name + ' -')
      } else {
        say('begin put ' + name + ' ' + alias)
        await store.sessions.put(name, { ...JSON.parse(template), alias })
        say('done put ' + name + ' ' + alias)
      }
    }
  }
  for (let lane = 0; lane < 6; lane++) work(lane)
} else {
  const quota = { max: 1e9, renewalSeconds: 3600 }
  const counterOf = (id) => ({ subject: id, kind: 'key', scope: '', endpoint: '', id, generation: '', quota })
  const tick = () => {
    for (let i = 0; i < 20; i++) store.counters.consume(counterOf('quota-' + i), 1)
    say('used ' + store.counters.readQuota(counterOf('quota-0')).used + ' ' + Date.now())
    setTimeout(tick, 2)
  }
  tick()
}
`

/** Runs the child, kills it after `afterMs`, and resolves with its output. */
function runAndKill(mode: string, round: number, afterMs: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const args = [join(bundleFolder, 'child.mjs'), folder, mode, String(round), JSON.stringify(sessionShape.zero())]
    const process_: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let errors = ''
    process_.stdout?.on('data', (chunk) => {
      if (out === '') setTimeout(() => process_.kill('SIGKILL'), afterMs)
      out += chunk
    })
    process_.stderr?.on('data', (chunk) => {
      errors += chunk
    })
    process_.on('close', () => {
      // The last line may be incomplete.
      if (out.startsWith('ready\n')) resolve(out.split('\n').slice(1, -1))
      else reject(new Error(`the child did not open the store: ${errors}`))
    })
  })
}

test('no acknowledged key is lost and no removed one is restored when the process is killed', async () => {
  // The allowed states of each key: one after an acknowledged change, two during an operation.
  const allowed = new Map<string, Set<string>>()
  let acknowledged = 0
  for (let round = 0; round < 32; round++) {
    for (const line of await runAndKill('keys', round, 1 + Math.random() * 120)) {
      const [phase, verb, name, alias] = line.split(' ') as [string, string, string, string]
      const now = verb === 'put' ? alias : 'absent'
      if (phase === 'begin') allowed.set(name, (allowed.get(name) ?? new Set(['absent'])).add(now))
      else allowed.set(name, new Set([now]))
      if (phase === 'done') acknowledged++
    }
    const store = await makeLmdbStore({ path: folder })
    for (const [name, states] of allowed) {
      const found = (await store.sessions.get(name))?.session.alias ?? 'absent'
      expect([...states], `${name} after round ${round}`).toContain(found)
      allowed.set(name, new Set([found]))
    }
    expect((await store.sessions.list('key-')).length).toBeLessThanOrEqual(48)
    await store.close()
  }
  expect(acknowledged).toBeGreaterThan(200)
}, 120_000)

test('a crash loses at most the last second of quota', async () => {
  for (let round = 0; round < 3; round++) {
    const lines = await runAndKill('quota', round, 1200 + Math.random() * 500)
    const said = lines.map((line) => line.split(' ').slice(1).map(Number) as [number, number])
    const diedAt = said.at(-1)?.[1] ?? 0
    const [usedBefore] = said.findLast(([, at]) => at <= diedAt - 1000) as [number, number]
    const store = await makeLmdbStore({ path: folder })
    for (let i = 0; i < 20; i++) {
      expect((await store.counters.readQuota(plainCounter(`quota-${i}`)))?.used).toBeGreaterThanOrEqual(usedBefore)
    }
    await store.close()
  }
}, 60_000)
