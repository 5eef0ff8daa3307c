// A Redis of our own for a run: on a free port, in a temporary folder, without persistence; it ends with the run.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether there is one to start. */
export function hasRedisServer() {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Starts one and waits until it answers. Throws when it does not within 15 s. */
export async function startRedisServer() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-redis-'))
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  for (let tried = 0; (await ask(port, 'PING').catch(() => '')) !== '+PONG'; tried++) {
    if (tried >= 300) throw new Error('redis-server did not answer in 15 s')
    await sleep(50)
  }
  return {
    port,
    async flush() {
      await ask(port, 'FLUSHALL')
    },
    async stop() {
      process.removeListener('exit', end)
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Sends one command and resolves with the first line of the reply. */
function ask(port, command) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    let text = ''
    socket.setTimeout(5000, () => socket.destroy(new Error('no reply')))
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      text += bytes
      if (!text.includes('\r\n')) return
      socket.destroy()
      resolve(text.slice(0, text.indexOf('\r\n')))
    })
    socket.on('close', () => reject(new Error('closed without a reply')))
  })
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
