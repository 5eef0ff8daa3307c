/**
 * Resident memory of many connections that have sent one request and are kept alive. HAProxy is not among the servers,
 * because it reserves two file descriptors for each connection that it may get.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentBytesOfAll } from '../measure/process-cpu.ts'
import type { RunOptions } from '../measure/run-options.ts'
import { spreadOf } from '../measure/statistics.ts'
import { type Row, rowOf } from '../report/table.ts'
import { definition } from '../subjects/definition.ts'
import { startNginx } from '../subjects/nginx.ts'
import { startBareServer } from '../subjects/programs.ts'
import type { Subject } from '../subjects/subject.ts'
import { startTurnpike } from '../subjects/turnpike.ts'
import { idleBudgetKiB, idleConnections, idleName } from './kinds.ts'

/** Connections that are opened at once. */
const batch = 200

export async function measureIdle(upstream: string, { rounds, log }: RunOptions): Promise<Row> {
  const servers: readonly { name: string; path: string; start(): Promise<Subject> }[] = [
    { name: 'gateway', path: '/a0/plain', start: () => startTurnpike({ apis: [definition('a0', upstream)] }) },
    { name: 'nginx', path: '/plain', start: () => startNginx(upstream) },
    { name: 'net server', path: '/plain', start: () => startBareServer() },
  ]
  const found = new Map(servers.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    for (const { name, path, start } of servers) {
      const subject = await start()
      try {
        found.get(name)?.push(await kibPerConnection(subject, path))
      } finally {
        await subject.stop()
      }
    }
    log(
      `${idleName}, round ${round + 1}: ${servers.map(({ name }) => `${name} ${found.get(name)?.at(-1)?.toFixed(1)}`)}`,
    )
  }
  const others = servers.map(({ name }) => `${name} ${spreadOf(found.get(name) ?? []).median.toFixed(1)} KiB`)
  const note = `${idleConnections.toLocaleString('en')} connections after one request each: ${others.join(', ')}`
  return rowOf(`${idleName}, resident memory`, spreadOf(found.get('gateway') ?? []), ' KiB', idleBudgetKiB, note)
}

async function kibPerConnection({ pid, url }: Subject, path: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const open: Socket[] = []
  const openAll = async (count: number) => {
    for (let i = 0; i < count; i += batch)
      open.push(...(await Promise.all(Array.from({ length: batch }, () => openIdle(hostname, Number(port), path)))))
  }
  try {
    // The first ones warm the process up, so that its own growth does not count.
    await openAll(idleConnections / 10)
    await sleep(500)
    const before = residentBytesOfAll(pid)
    await openAll(idleConnections)
    await sleep(500)
    return (residentBytesOfAll(pid) - before) / 1024 / idleConnections
  } finally {
    for (const socket of open) socket.destroy()
  }
}

/** Resolves after the response, with the connection open. */
function openIdle(hostname: string, port: number, path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, hostname)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`${hostname}:${port} closed a connection`)))
    socket.once('data', (chunk: Buffer) => {
      if (chunk.toString('latin1', 0, 12) === 'HTTP/1.1 200') resolve(socket)
      else reject(new Error(`${hostname}:${port} responded with ${chunk.toString('latin1', 0, 100)}`))
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  })
}
