/** Finds TCP ports for servers that tests start. */
import { once } from 'node:events'
import net from 'node:net'

/** Returns a TCP port that is free at the time of the call. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port as number
}

/** Returns different TCP ports that are free at the time of the call. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'))
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')))
    return servers.map((server) => (server.address() as net.AddressInfo).port)
  } finally {
    for (const server of servers) server.close()
  }
}
