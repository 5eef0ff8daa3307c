/**
 * Bounds what the system holds of a connection's incoming bytes, which uWS has no setting for.
 *
 * uWS reads on without a pause as long as each read fills its buffer of 512 KiB, also after it was asked to stop. A client
 * that is near, on a busy machine, refills the system's buffer (up to 32 MiB) as fast as it is emptied: measured were
 * 900 MiB of one upload in one turn of the event loop, and 4 s in which nobody else was served. With less than 512 KiB
 * in the system's buffer no read is full, so that every turn ends after one.
 *
 * Connections have the buffer of the socket that listens for them. Node can set that of UDP sockets only, by a call
 * that does not look at the kind; so a short-lived process is handed the socket, sets the size on it and ends. Should
 * that not work, everything goes on as uWS has it.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Log } from '@turnpike/core'

/** The most that Linux grants without further rights; it counts it twice, for its own needs. */
const bufferBytes = 212_992

const program = `const { UDP } = process.binding('udp_wrap')
const handle = new UDP()
const failed = handle.open(3)
const context = {}
if (failed === 0) handle.bufferSize(${bufferBytes}, true, context)
process.exit(failed === 0 && context.code === undefined ? 0 : 1)`

/** A gateway that starts has better things to do with its processor than to start another process. */
const delayMs = 250

/**
 * Sets it for connections that come from a moment later on, on Linux; elsewhere it does nothing. Never throws. Returns
 * how to leave it, where the port is closed before that.
 */
export function limitReceiveBuffer(port: number, log: Log): () => void {
  if (process.platform !== 'linux') return () => undefined
  const timer = setTimeout(() => setReceiveBuffer(port, log), delayMs).unref()
  return () => clearTimeout(timer)
}

function setReceiveBuffer(port: number, log: Log): void {
  const give = (reason: unknown) =>
    log.debug('the receive buffer stays as the system has it', { reason: String(reason) })
  try {
    const descriptor = listeningDescriptor(port)
    if (descriptor === undefined) {
      give('the listening socket was not found')
      return
    }
    const stdio = ['ignore', 'ignore', 'ignore', descriptor] as const
    const child = spawn(process.execPath, ['-e', program], { stdio: [...stdio], env: {} })
    child.on('error', give)
    child.on('exit', (code) => {
      if (code !== 0) give(`the process that sets it ended with ${code}`)
    })
    child.unref()
  } catch (cause) {
    give(cause)
  }
}

/** This process's descriptor of the socket that listens on the port; `undefined`: there is none, or no /proc. */
function listeningDescriptor(port: number): number | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const inodes = new Set<string>()
  for (const table of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    for (const line of linesOf(table)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      if (local?.endsWith(suffix) && state === listening && inode !== undefined) inodes.add(`socket:[${inode}]`)
    }
  }
  const found = readdirSync('/proc/self/fd').find((descriptor) => inodes.has(linkOf(`/proc/self/fd/${descriptor}`)))
  return found === undefined ? undefined : Number(found)
}

/** TCP_LISTEN of the kernel's include/net/tcp_states.h. */
const listening = '0A'

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    // Machines without IPv6 have no such table.
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // Closed since the list was read.
    return ''
  }
}
