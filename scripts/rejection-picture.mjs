#!/usr/bin/env node
// Draws docs/pictures/rejection.svg: a rejected request and its explanation, as a terminal shows them. The output is that
// of the built commands on a gateway that `turnpike init` made.
//
//   npm run build && node scripts/rejection-picture.mjs [--to docs/pictures]
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from './command-line.mjs'
import { terminalPicture } from './pictures/terminal-picture.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const command = join(root, 'packages/turnpike/bin/turnpike.js')
const { values } = readCommandLine({
  usage: `
Usage: node scripts/rejection-picture.mjs [--to FOLDER]

Draws rejection.svg: a rejected request and its explanation. Needs npm run build.

  --to FOLDER  default: docs/pictures
  --help       print this help`,
  options: { to: { type: 'string', default: join(root, 'docs', 'pictures') } },
})

const folder = mkdtempSync(join(tmpdir(), 'turnpike-picture-'))
let gateway
try {
  turnpike('init')
  const [key] = Object.keys(JSON.parse(readFileSync(join(folder, 'seed.json'), 'utf8')).keys)
  const url = await start()
  const statuses = []
  for (let i = 0; i < 6; i++) {
    statuses.push((await fetch(`${url}/hello/world`, { headers: { Authorization: key } })).status)
  }
  const explained = turnpike('explain', 'GET', '/hello/world', '-H', `Authorization: ${key}`, '--url', url)
  const lines = [
    {
      text: 'for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w "%{http_code} " -H "Authorization: $KEY" \\',
      kind: 'command',
    },
    { text: '  http://127.0.0.1:8080/hello/world; done', kind: 'continued' },
    { text: statuses.join(' '), kind: 'output' },
    { text: '', kind: 'output' },
    { text: 'npx turnpike explain GET /hello/world -H "Authorization: $KEY"', kind: 'command' },
    ...explained
      .trimEnd()
      .split('\n')
      .map((text) => ({ text: shortHashes(text), kind: 'output' })),
  ]
  mkdirSync(values.to, { recursive: true })
  writeFileSync(
    join(values.to, 'rejection.svg'),
    terminalPicture(lines, 'A request that the gateway rejects with 429, and the output of turnpike explain'),
  )
} finally {
  gateway?.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

function turnpike(...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], { cwd: folder })
  // explain ends with 1, because the request is rejected.
  if (status > 1) throw new Error(`turnpike ${args[0]} failed: ${stderr}`)
  return stdout.toString()
}

/** Starts the gateway on a free TCP port; resolves with its address. */
function start() {
  gateway = spawn(process.execPath, [command, 'start', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    gateway.stdout.on('data', (text) => {
      output += text
      const address = /listens on (http:\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    })
    gateway.once('exit', () => reject(new Error(`the gateway ended:\n${output}`)))
  })
}

/** Hashes of keys are 64 digits long and not what the picture is about. */
function shortHashes(text) {
  return text.replaceAll(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, '$1…')
}
