/** Error messages for a TCP port that cannot be opened. */
import { createServer } from 'node:net'
import type { Address } from '@turnpike/core/ports'

/** Returns the error that `listen` rejects with. Its message names the address, the reason and a fix. */
export function listenError(at: Address, cause: unknown): Error {
  return new Error(reasonOf(at, codeOf(cause)), { cause })
}

function reasonOf({ host, port, setting = 'listen_port or --port' }: Address, code: string): string {
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is already in use; choose another with ${setting}`
  if (code === 'EACCES') return `no right to listen on port ${port} of ${host}; choose one above 1023 with ${setting}`
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine; choose another with listen_address`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the address ${host} cannot be resolved; choose another with listen_address`
  return `cannot listen on port ${port} of ${host}: ${code}`
}

function codeOf(cause: unknown): string {
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return 'unknown reason'
}

/**
 * Opens the port with Node and closes it, because uWebSockets.js does not report why `listen` failed. Resolves to the
 * error, or to `undefined` if the port opened.
 */
export function probePort({ host, port }: Address): Promise<unknown> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}
