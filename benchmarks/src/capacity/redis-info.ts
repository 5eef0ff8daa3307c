/** Reads counters of a redis-server with `INFO`, over a connection of its own. */
import net from 'node:net'

/** Numbers by name, such as `used_memory` or `cmdstat_evalsha.calls`. */
export type RedisInfo = ReadonlyMap<string, number>

export async function readRedisInfo(port: number): Promise<RedisInfo> {
  const text = await askRedis(port, 'INFO everything\r\n')
  const found = new Map<string, number>()
  for (const [, name = '', value = ''] of text.matchAll(/^([a-z_A-Z0-9|]+):(.*?)\r?$/gm)) {
    if (!name.startsWith('cmdstat_')) found.set(name, Number(value))
    else
      for (const [, part = '', number] of value.matchAll(/([a-z_]+)=([\d.]+)/g))
        found.set(`${name}.${part}`, Number(number))
  }
  return found
}

/** The differences of all commands between two readings, by command. */
export function commandsBetween(before: RedisInfo, after: RedisInfo): Map<string, number> {
  const differences = new Map<string, number>()
  for (const [name, value] of after) {
    const command = /^cmdstat_(.+)\.calls$/.exec(name)?.[1]
    const calls = value - (before.get(name) ?? 0)
    if (command !== undefined && command !== 'info' && calls > 0) differences.set(command, calls)
  }
  return differences
}

/** Sends an inline command and resolves with its bulk reply. */
function askRedis(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(command))
    let reply = ''
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      reply += text
      const length = Number(/^\$(\d+)\r\n/.exec(reply)?.[1] ?? Number.NaN)
      if (Buffer.byteLength(reply) < length + `$${length}\r\n\r\n`.length) return
      socket.destroy()
      resolve(reply)
    })
    socket.on('error', reject)
  })
}
