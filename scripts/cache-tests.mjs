#!/usr/bin/env node
// Runs the public HTTP cache tests against a gateway with cache_mode "rfc9111", and counts those that pass.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readCommandLine } from './command-line.mjs'

const usage = `
Usage: node scripts/cache-tests.mjs [OPTIONS] FOLDER

Runs the public HTTP cache tests (npm package http-cache-tests) in FOLDER against a gateway, after npm run build. Takes
about two minutes.

  --front-end http1|node|uws  front end of the gateway; default: node
  --id TEST             only this test, with all its messages
  --help                print this help

Exit codes: 0 the tests ran, 2 wrong use.`
const { values, positionals } = readCommandLine({
  usage,
  options: { 'front-end': { type: 'string', choices: ['http1', 'node', 'uws'] }, id: { type: 'string' } },
  positionals: true,
})
const folder = resolve(positionals[0] ?? '')
// Versions after 0.4.5 have their programs in a folder of their own.
const engine = ['.', 'test-engine'].find((each) => existsSync(join(folder, each, 'cli.mjs')))
if (positionals.length !== 1 || engine === undefined) {
  console.error(`error: FOLDER must contain the package http-cache-tests (--help lists the options)`)
  process.exit(2)
}

const { createGateway, defineApi } = await import('../packages/turnpike/dist/index.js')
const port = await freePort()
const server = startInFolder('server/server.mjs', 'ignore')
const gateway = await createGateway({
  log: 'silent',
  config: { front_end: values['front-end'] ?? 'node', storage: { type: 'memory' } },
  definitions: [
    defineApi({
      id: 'cache-tests',
      listenPath: '/',
      target: `http://localhost:${port}/`,
      open: true,
      more: { cache_mode: 'rfc9111', cache_options: { enable_cache: true } },
    }),
  ],
})
const { url } = await gateway.listen(0, '127.0.0.1')
try {
  const output = await outputOf(startInFolder('cli.mjs', 'pipe', url))
  if (values.id === undefined) await report(JSON.parse(output))
  else console.log(output)
} finally {
  server.kill()
  await gateway.close(0)
}

function startInFolder(script, stdout, baseUrl = '') {
  const env = {
    ...process.env,
    npm_config_protocol: 'http',
    npm_config_port: String(port),
    npm_config_pidfile: join(tmpdir(), `cache-tests-${process.pid}.pid`),
    npm_package_config_base: baseUrl,
    npm_package_config_id: values.id ?? '',
  }
  const args = ['--no-warnings', join(folder, engine, script)]
  return spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', stdout, 'inherit'] })
}

async function outputOf(child) {
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return text
}

/** Prints the counts of each kind, and the required and optimal tests that fail. */
async function report(results) {
  const suites = await Promise.all(['index', 'surrogate-control'].map(readSuites))
  const counts = new Map()
  for (const { id, kind = 'required' } of suites.flat(2).flatMap(({ tests }) => tests)) {
    const result = results[id]
    if (result === undefined) continue
    const count = counts.get(kind) ?? { passed: 0, all: 0 }
    counts.set(kind, { passed: count.passed + (result === true ? 1 : 0), all: count.all + 1 })
    if (result !== true && kind !== 'check') console.log(`${kind} ${id}: ${result.join(': ')}`)
  }
  for (const [kind, { passed, all }] of counts) console.log(`${kind}: ${passed} of ${all}`)
}

/** A file that not all versions have is empty. */
async function readSuites(name) {
  const file = join(folder, 'tests', `${name}.mjs`)
  return existsSync(file) ? (await import(pathToFileURL(file).href)).default : []
}

function freePort() {
  return new Promise((found) => {
    const probe = createServer().listen(0, () => {
      const { port } = probe.address()
      probe.close(() => found(port))
    })
  })
}
