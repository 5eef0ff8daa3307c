/**
 * Limits the receive buffer (SO_RCVBUF) of connections, for which uWS has no option.
 *
 * uWS continues to read while each read fills its buffer of 512 KiB, even after `pause()`. A fast client refills the
 * kernel's buffer (up to 32 MiB) as quickly as it is read: one upload of 900 MiB was read in one iteration of the event
 * loop, which blocked all other clients for 4 s. If the kernel's buffer is smaller than 512 KiB, no read is full, and
 * each iteration ends after one read.
 *
 * Connections inherit the buffer size of the listening socket. Node can set the size of UDP sockets only, but the call
 * does not check the socket type. A short-lived child process therefore receives the listening socket, sets the size and
 * exits. If that fails, the kernel's default size stays.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Log } from '@turnpike/core'

/** The default `net.core.rmem_max` of Linux, the largest size without privileges. The kernel doubles it (socket(7)). */
const bufferBytes = 212_992

const program = `const { UDP } = process.binding('udp_wrap')
const handle = new UDP()
const failed = handle.open(3)
const context = {}
if (failed === 0) handle.bufferSize(${bufferBytes}, true, context)
process.exit(failed === 0 && context.code === undefined ? 0 : 1)`

/** Delays the child process, so that it does not compete with the start of the gateway. */
const delayMs = 250

/**
 * Sets the size for connections that are opened after `delayMs`. It works on Linux and does nothing on other systems. It
 * never throws. The returned function cancels it if the port closes earlier.
 */
export function limitReceiveBuffer(port: number, log: Log): () => void {
  if (process.platform !== 'linux') return () => undefined
  const timer = setTimeout(() => setReceiveBuffer(port, log), delayMs).unref()
  return () => clearTimeout(timer)
}

function setReceiveBuffer(port: number, log: Log): void {
  const failed = (reason: unknown) => log.debug('the receive buffer keeps the default size', { reason: String(reason) })
  try {
    const descriptor = listeningDescriptor(port)
    if (descriptor === undefined) {
      failed('the listening socket was not found')
      return
    }
    const stdio = ['ignore', 'ignore', 'ignore', descriptor] as const
    const child = spawn(process.execPath, ['-e', program], { stdio: [...stdio], env: {} })
    child.on('error', failed)
    child.on('exit', (code) => {
      if (code !== 0) failed(`the child process exited with ${code}`)
    })
    child.unref()
  } catch (cause) {
    failed(cause)
  }
}

/** Returns the file descriptor that listens on the port, or `undefined` if it is not found in /proc. */
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

/** TCP_LISTEN in /proc/net/tcp, see proc(5). */
const listening = '0A'

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    // tcp6 does not exist without IPv6.
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // The descriptor was closed after the directory was read.
    return ''
  }
}
