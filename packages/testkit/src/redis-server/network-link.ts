/**
 * A TCP proxy in front of a server that can lose its network: while it is cut, no byte passes in either direction and
 * connections stay open, as with a cable that is pulled. Later the bytes that waited are delivered.
 *
 * Servers that connect to each other bind their outgoing connections to an address of their own in 127.0.0.0/8, so a
 * proxy recognises the peer by its address.
 */
import { once } from 'node:events'
import net from 'node:net'

export interface NetworkLink {
  readonly port: number
  /** From now on stops the traffic of exactly the peers for which `isCut` returns true. */
  cut(isCut: (peerAddress: string) => boolean): void
  close(): void
}

interface Pair {
  readonly peer: string
  readonly client: net.Socket
  server: net.Socket | undefined
}

/** Listens on `port` of 127.0.0.1 and connects to `target` from the peer's own address. */
export async function startNetworkLink(port: number, target: number): Promise<NetworkLink> {
  const pairs = new Set<Pair>()
  let isCut = (_peerAddress: string) => false
  const open = (pair: Pair) => {
    const server = net.connect({ port: target, host: '127.0.0.1' })
    pair.server = server
    join(pair.client, server)
    join(server, pair.client)
  }
  const listener = net.createServer((client) => {
    const pair: Pair = { peer: client.remoteAddress ?? '', client, server: undefined }
    pairs.add(pair)
    client.setNoDelay(true)
    client.on('error', () => undefined)
    client.on('close', () => {
      pairs.delete(pair)
      pair.server?.destroy()
    })
    if (isCut(pair.peer)) client.pause()
    else open(pair)
  })
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port,
    cut(next) {
      isCut = next
      for (const pair of pairs) {
        if (next(pair.peer)) {
          pair.client.pause()
          pair.server?.pause()
          continue
        }
        if (pair.server === undefined) open(pair)
        pair.client.resume()
        pair.server?.resume()
      }
    },
    close() {
      listener.close()
      for (const { client, server } of pairs) {
        client.destroy()
        server?.destroy()
      }
    },
  }
}

/** `pipe` would resume a paused socket, so bytes are written by hand. The amounts of tests need no backpressure. */
function join(from: net.Socket, to: net.Socket): void {
  from.setNoDelay(true)
  from.on('data', (bytes) => to.write(bytes))
  from.on('error', () => undefined)
  from.on('close', () => to.destroy())
}
