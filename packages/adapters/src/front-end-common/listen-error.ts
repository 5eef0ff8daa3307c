/** Says in words why a port could not be opened. */
import { createServer } from 'node:net'
import type { Address } from '@turnpike/core'

/** The error that `listen` rejects with, naming address, reason and what to do. */
export function listenError(at: Address, cause: unknown): Error {
  return new Error(reasonOf(at, codeOf(cause)), { cause })
}

function reasonOf({ host, port }: Address, code: string): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is already in use; choose another with listen_port or --port`
  if (code === 'EACCES')
    return `no right to listen on port ${port} of ${host}; choose one above 1023 with listen_port or --port`
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine; choose another with listen_address`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the address ${host} cannot be resolved; choose another with listen_address`
  return `cannot listen on port ${port} of ${host}: ${code}`
}

function codeOf(cause: unknown): string {
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return 'unknown reason'
}

/** Tries to open the port with Node, to learn the reason that another server cannot tell. `undefined`: it opened. */
export function probePort({ host, port }: Address): Promise<unknown> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}
