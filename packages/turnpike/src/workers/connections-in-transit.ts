/**
 * Connections that the supervisor passes to a worker. If the worker ends before it has accepted one, Node keeps the
 * connection open for ever in the supervisor (https://nodejs.org/api/cluster.html has no call for it), and its client waits.
 * So the messages of node:cluster are observed: `newconn` passes a connection, and a message with `ack` accepts it.
 */
import type { Worker } from 'node:cluster'

interface Closable {
  close(): void
}

/** Closes the connections that the worker has not accepted when it ends. */
export function closeConnectionsInTransit({ process: child }: Worker): void {
  const inTransit = new Map<unknown, Closable>()
  let isGone = false
  const closeAll = () => {
    for (const connection of inTransit.values()) connection.close()
    inTransit.clear()
  }
  const send = child.send
  const observed = (...args: unknown[]): boolean => {
    const [message, handle] = args
    const isSent = Reflect.apply(send, child, args) as boolean
    if (isNewConnection(message) && isClosable(handle)) inTransit.set(message.seq, handle)
    if (isGone) closeAll()
    return isSent
  }
  child.send = observed as typeof child.send
  child.on('internalMessage', (message: unknown) => {
    if (typeof message === 'object' && message !== null && 'ack' in message) inTransit.delete(message.ack)
  })
  for (const event of ['exit', 'disconnect'] as const) {
    child.once(event, () => {
      isGone = true
      closeAll()
      // Until then node:cluster passes further connections to the worker.
      if (child.connected) child.disconnect()
    })
  }
}

function isNewConnection(message: unknown): message is { readonly seq: unknown } {
  return typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn'
}

function isClosable(handle: unknown): handle is Closable {
  return typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
}
