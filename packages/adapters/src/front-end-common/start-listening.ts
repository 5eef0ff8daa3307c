/** Starts a `node:net` server. */
import type { Server } from 'node:net'
import type { Address, Log } from '@turnpike/core/ports'
import { watchDescriptors } from './descriptor-watch.ts'
import { listenError } from './listen-error.ts'

/** Resolves once the server listens. Rejects with an error of `listenError`. Later errors of the socket are logged. */
export function startListening(server: Server, at: Address, log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(listenError(at, error))
    server.once('error', failed)
    server.listen(at.port, at.host, () => {
      server.off('error', failed)
      server.on('error', (error) => logError(error, log))
      server.once('close', watchDescriptors(log, noListener))
      resolve()
    })
  })
}

/** Nothing to do: node closes the connections. */
const noListener = { exhausted() {}, available() {} }

function logError(error: NodeJS.ErrnoException, log: Log): void {
  // `descriptor-watch.ts` logs these once.
  if (error.code === 'EMFILE' || error.code === 'ENFILE') return
  log.error('the listening socket failed', { error })
}
