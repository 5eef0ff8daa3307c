// Runs the commands of a guide as a reader would, in an empty folder, with the built packages.
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMissingLine } from './read-guide.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** TCP ports that guides use. A test replaces each by a free one. */
const guidePorts = [
  ...['3000', '8080', '8081', '8082', '8083', '8084', '8088', '8090', '6390'],
  ...['6391', '6392', '6393', '26391', '26392', '26393'],
  ...['7001', '7002', '7003', '7004', '7005', '7006'],
]
/** First and last port of a test. The ports that are 10,000 higher exist too: servers of a Redis Cluster use both. */
const testPorts = [10_000, 20_000]
const startLimitMs = 30_000
const commandLimitMs = 120_000
/** What programs print when they accept connections. */
const ready = /listens on|Ready to accept connections/

/** Runs the blocks of readGuide. Throws an error that names the line of the block which failed. */
export async function runGuide(blocks, name) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-guide-'))
  const ports = await freePorts(guidePorts)
  const running = []
  const reader = join(folder, 'reader')
  mkdirSync(reader)
  const state = join(folder, 'state')
  const load = `[ ! -f "${state}" ] || . "${state}"`
  const shell = { folder: reader, environment: environmentOf(folder, root), state, load }
  let printed = ''
  const fail = (block, reason) => {
    throw new Error(`${name}:${block.line}: ${reason}\n${block.text}\nIt printed:\n${printed}`)
  }
  try {
    for (const block of blocks) {
      if (block.kind === 'file') writeGuideFile(join(currentFolder(shell), block.file), ports.toTest(block.text))
      if (block.kind === 'output') {
        const line = findMissingLine(block.text, printed)
        if (line !== undefined) fail(block, `the output lacks the line: ${line}`)
      }
      if (block.kind !== 'run') continue
      const command = ports.toTest(block.text)
      if (block.background) {
        const started = await start(command, shell)
        running.push(started)
        printed = ports.toGuide(started.output())
        if (!started.isReady()) fail(block, 'the command did not start')
      } else {
        const result = run(command, shell)
        printed = ports.toGuide(result.output)
        if (result.status !== block.exit) fail(block, `exit code ${result.status}, expected ${block.exit}`)
      }
      usePorts(folder, ports)
    }
  } finally {
    for (const child of running.toReversed()) await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The folder in which the terminal of the guide is. */
function currentFolder({ folder, state }) {
  const saved = existsSync(state) ? readFileSync(state, 'utf8') : ''
  return /^cd "(.*)"$/m.exec(saved)?.[1] ?? folder
}

/** Blocks of one guide share a terminal: exported variables and the current folder remain. */
function run(command, shell) {
  const save = `trap 'export -p >"${shell.state}"; echo "cd \\"$PWD\\"" >>"${shell.state}"' EXIT`
  const script = `exec 2>&1\n${shell.load}\n${save}\nset -e -o pipefail\n${command}`
  const options = { cwd: shell.folder, env: shell.environment, timeout: commandLimitMs }
  const { status, stdout, error } = spawnSync('bash', ['-c', script], options)
  return { status: error === undefined ? status : error.message, output: stdout.toString() }
}

async function start(command, shell) {
  const script = `exec 2>&1\n${shell.load}\n${command}`
  const options = { cwd: shell.folder, env: shell.environment, detached: true, stdio: ['ignore', 'pipe', 'inherit'] }
  const child = spawn('bash', ['-c', script], options)
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  let hasEnded = false
  const ended = new Promise((resolve) => {
    child.once('close', () => {
      hasEnded = true
      resolve()
    })
  })
  for (let waited = 0; waited < startLimitMs && !hasEnded && !ready.test(output); waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    output: () => output,
    isReady: () => ready.test(output) && !hasEnded,
    async stop() {
      if (!hasEnded) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}

/**
 * `npx turnpike`, `npm install` and the command of a clone that installs into a project use the packages of this
 * repository, so that no command needs the network.
 */
function environmentOf(folder, repository) {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const script = (name, text) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  script('turnpike', `exec "${process.execPath}" "${join(repository, 'packages/turnpike/bin/turnpike.js')}" "$@"`)
  const judge = `"${process.execPath}" "${join(repository, 'packages/judge/bin/judge.js')}"`
  script('npx', `[ "$1" = @turnpike/judge ] && exec ${judge} "\${@:2}"\nexec "$@"`)
  const links = ['turnpike packages/turnpike', '@turnpike/dev packages/dev', '@turnpike/judge packages/judge'].map(
    (pair) => {
      const [name, path] = pair.split(' ')
      return `mkdir -p "$(dirname node_modules/${name})"; ln -sfn "${join(repository, path)}" node_modules/${name}`
    },
  )
  const into = '[ "$1 $2 $3" = "run install-into --" ] && mkdir -p "$4" && cd "$4" && set -- install'
  script(
    'npm',
    `${into}\n[ "$1" = install ] || { echo "only npm install works in guides"; exit 1; }\n${links.join('\n')}`,
  )
  const { PATH, LANG } = process.env
  return { PATH: `${bin}:${PATH}`, HOME: folder, LANG: LANG ?? 'C.UTF-8', NO_COLOR: '1' }
}

/** Files that commands wrote get the ports of the test too. */
function usePorts(folder, ports) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !['node_modules', '.turnpike'].includes(entry.name)) usePorts(path, ports)
    if (!entry.isFile() || !/\.(json|ya?ml)$/.test(entry.name)) continue
    const text = readFileSync(path, 'utf8')
    const changed = ports.toTest(text)
    if (changed !== text) writeFileSync(path, changed)
  }
}

function writeGuideFile(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

async function freePorts(names) {
  const found = new Set()
  while (found.size < names.length) {
    const port = randomInt(...testPorts)
    if ((await isFree(port)) && (await isFree(port + 10_000))) found.add(String(port))
  }
  const free = [...found]
  const pairs = names.map((name, i) => [name, free[i]])
  const replace = (text, from, to) =>
    pairs.reduce((done, pair) => done.replaceAll(new RegExp(`(?<![\\d.])${pair[from]}(?!\\d)`, 'g'), pair[to]), text)
  return { toTest: (text) => replace(text, 0, 1), toGuide: (text) => replace(text, 1, 0) }
}

function isFree(port) {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
