/** Opens the listening socket of a server of Node's own. */
import type { Server } from 'node:net'
import type { Address, Log } from '@turnpike/core'
import { listenError } from './listen-error.ts'

/** Settles when the server listens; rejects with a message that names address and reason. Later errors are logged. */
export function openSocket(server: Server, at: Address, log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(listenError(at, error))
    server.once('error', failed)
    server.listen(at.port, at.host, () => {
      server.off('error', failed)
      server.on('error', (error) => log.error('the listening socket failed', { error }))
      resolve()
    })
  })
}
