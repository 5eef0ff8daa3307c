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
import { readdirSync, readlinkSync } from 'node:fs'
import type { Log } from '@turnpike/core/ports'

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
 * Sets the size for connections that are opened after `delayMs`. `sockets` are the file descriptors of the listening
 * socket and of others that were opened at the same time, which get the same size. It never throws. The returned
 * function cancels it if the port closes earlier.
 */
export function limitReceiveBuffer(sockets: readonly number[], log: Log): () => void {
  if (sockets.length === 0 && process.platform === 'linux') {
    log.debug('the receive buffer keeps the default size', { reason: 'the listening socket was not found' })
  }
  const timer = setTimeout(() => {
    for (const socket of sockets) setReceiveBuffer(socket, log)
  }, delayMs).unref()
  return () => clearTimeout(timer)
}

function setReceiveBuffer(socket: number, log: Log): void {
  const failed = (reason: unknown) => log.debug('the receive buffer keeps the default size', { reason: String(reason) })
  try {
    const stdio = ['ignore', 'ignore', 'ignore', socket] as const
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

/**
 * The file descriptors of the open sockets of this process; none on systems other than Linux, or without /proc.
 * /proc/net/tcp would say which one listens, but reading it takes over a second while tens of thousands of connections
 * are in TIME_WAIT.
 */
export function openSockets(): number[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync('/proc/self/fd').filter(isSocket).map(Number)
  } catch {
    return []
  }
}

function isSocket(descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('socket:')
  } catch {
    // The descriptor was closed after the directory was read.
    return false
  }
}
