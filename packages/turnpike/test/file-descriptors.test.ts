/** A process without file descriptors: it does not spin, writes one line, keeps its connections, and recovers. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder, openApi } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const canLimit = spawnSync('prlimit', ['--version']).status === 0
const title = canLimit ? 'out of file descriptors' : 'out of file descriptors, not run: prlimit (util-linux) is missing'

/** CPU milliseconds that a process has used. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function exchange(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const closed = () => resolve('closed')
    socket.once('close', closed)
    socket.once('data', (chunk) => {
      socket.off('close', closed)
      resolve(chunk.toString().split('\r\n')[0] ?? '')
    })
    socket.write('GET /open/x HTTP/1.1\r\nHost: a\r\n\r\n')
  })
}

describe.skipIf(!canLimit).each(frontEnds)(`${title}, %s`, (frontEnd) => {
  it('does not spin, logs one line, and recovers', { timeout: 20_000 }, async () => {
    const upstream = await startRecordingUpstream()
    const folder = makeFolder({ front_end: frontEnd })
    const sockets: Socket[] = []
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      await upstream.close()
      folder.remove()
    })
    folder.write('apps/open.json', openApi('open', upstream.url))
    const gateway = await startForTest(folder)
    expect((await fetch(`${gateway.url}/open/x`)).status).toBe(200)
    // The management API is loaded a second after the start.
    await pause(1500)
    const pid = gateway.child.pid ?? 0
    const openFiles = readdirSync(`/proc/${pid}/fd`).length
    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${openFiles + 8}:`])
    for (let i = 0; i < 60; i++) sockets.push(connect(gateway.port, '127.0.0.1').on('error', () => {}))
    const lines = () => gateway.err().split('out of file descriptors').length - 1
    await expect.poll(lines).toBe(1)
    const before = cpuOf(pid)
    await pause(2000)
    expect(cpuOf(pid) - before).toBeLessThan(600)
    expect(lines()).toBe(1)
    const open = sockets.find((socket) => !socket.destroyed && socket.readyState === 'open')
    if (open !== undefined) expect(await exchange(open)).toMatch(/^HTTP\/1.1 (200|5\d\d)/)

    for (const socket of sockets) socket.destroy()
    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${openFiles + 100}:`])
    const status = async () => (await fetch(`${gateway.url}/open/x`).catch(() => ({ status: 0 }))).status
    await expect.poll(status, { timeout: 20_000 }).toBe(200)
    await expect.poll(() => gateway.err()).toContain('file descriptors are available again')
    expect(await gateway.stop()).toBe(0)
  })

  it('logs one line for an outage if calls to an upstream cannot connect', { timeout: 20_000 }, async () => {
    const upstream = createServer((_, response) => response.setHeader('connection', 'close').end('ok'))
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo
    const folder = makeFolder({ front_end: frontEnd })
    const clients: Socket[] = []
    onTestFinished(() => {
      for (const socket of clients) socket.destroy()
      upstream.close()
      folder.remove()
    })
    folder.write('apps/open.json', openApi('open', `http://127.0.0.1:${port}/`))
    const gateway = await startForTest(folder)
    const client = connect(gateway.port, '127.0.0.1')
    clients.push(client)
    expect(await exchange(client)).toBe('HTTP/1.1 200 OK')
    await pause(1500)
    const pid = gateway.child.pid ?? 0
    const openFiles = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
    // The system assigns the lowest free number, and the limit is above the highest.
    const lowestFree = [...openFiles, openFiles.size].map((_, i) => i).find((i) => !openFiles.has(i)) ?? 0
    const before = gateway.err().split('\n').length
    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${lowestFree}:`])
    for (let i = 0; i < 30; i++) expect(await exchange(client)).toMatch(/^HTTP\/1.1 500/)
    await expect.poll(() => gateway.err()).toContain('out of file descriptors')
    for (let i = 0; i < 30; i++) expect(await exchange(client)).toMatch(/^HTTP\/1.1 500/)
    expect(gateway.err().split('\n').length - before).toBe(1)

    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${openFiles.size + 100}:`])
    await expect.poll(() => exchange(client)).toBe('HTTP/1.1 200 OK')
    await expect.poll(() => gateway.err()).toContain('file descriptors are available again')
    expect(await gateway.stop()).toBe(0)
  })
})
