/**
 * Leaves a master that the sentinels replaced. A master that is cut off from its replicas and the sentinels does not know
 * that, and would continue to count for the clients that still reach it.
 */
import type { Redis } from 'ioredis'

const channel = '+switch-master'

/** Reconnects `client` after each failover of `master` that a sentinel reports. Ends with the client. */
export function followFailovers(client: Redis, master: string, sentinels: readonly Redis[]): void {
  for (const subscriber of sentinels) {
    // Sentinels that are unreachable are tried again; the client uses the others.
    subscriber.on('error', () => undefined)
    subscriber.on('ready', () => void subscriber.subscribe(channel).catch(() => undefined))
    subscriber.on('message', (_, message: string) => {
      const [name, , , host, port] = message.split(' ')
      if (name === master && !isConnectedTo(client, host, Number(port))) client.disconnect(true)
    })
    client.once('end', () => subscriber.disconnect())
  }
}

/** Each sentinel reports a failover, the last one when the client may have left the old master long ago. */
function isConnectedTo({ stream, status }: Redis, host: string | undefined, port: number): boolean {
  return status === 'ready' && stream.remoteAddress === host && stream.remotePort === port
}
