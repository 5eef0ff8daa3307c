/** A Redis server that replies with hostile bytes (RESP 2 and 3), behind a gateway that needs it for keys and limits. */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { silentLog } from '@turnpike/core/ports'
import { createGateway } from 'turnpike'
import { definition, keyed } from '../subjects/definition.ts'
import { startTcpServer } from '../subjects/tcp-server.ts'
import { emptyUpstream } from './empty-upstream.ts'
import { FuzzFinding, type FuzzTarget } from './fuzz-target.ts'
import { makeRandom, mostly, mutateText, pick, type Random } from './generate.ts'

const texts: readonly string[] = [
  'OK',
  '',
  '{}',
  '{"rate":1e999}',
  '{"access_rights":{"keyed":{}},"expires":-1}',
  '{"__proto__":{"a":1}}',
  '[',
  'null',
  '1',
  '-1',
  '99999999999999999999',
  '\0',
  'x'.repeat(3000),
]
const pieces: readonly string[] = [
  '\r\n',
  '*',
  '$',
  '-',
  '+',
  ':',
  '%',
  '~',
  '_',
  '#t',
  ',nan',
  '(1',
  '!',
  '=',
  '*99999999999\r\n',
  '$99999999999\r\n',
  '$-5\r\n',
  '*-1\r\n',
]

/** One reply, which need not fit to any command. */
function reply(random: Random, depth = 0): string {
  const kind = random(depth > 3 ? 5 : 7)
  const text = pick(random, texts)
  if (kind === 0) return `+${mostly(random, ['OK', 'QUEUED', 'PONG', ''])}\r\n`
  if (kind === 1)
    return `-${pick(random, ['ERR x', 'NOSCRIPT none', 'MOVED 1 127.0.0.1:1', 'LOADING', 'READONLY x', 'BUSY', ''])}\r\n`
  if (kind === 2) return `:${pick(random, ['0', '1', '-1', '99999999999999999999', 'x', ''])}\r\n`
  if (kind === 3) return `$${text.length}\r\n${text}\r\n`
  if (kind === 4) return '$-1\r\n'
  const items = Array.from({ length: random(5) }, () => reply(random, depth + 1))
  return `*${random(12) === 0 ? random(9) : items.length}\r\n${items.join('')}`
}

/** Names of the commands in a chunk, in lower case. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n/g)].map(([, name = '']) => name.toLowerCase())
}

/**
 * Replies to each command. The connection that subscribes gets valid replies: ioredis ends the process if a server replies
 * to SUBSCRIBE with another type.
 */
function respondTo(socket: Socket, randomFor: (command: string) => Random): void {
  let isSubscriber = false
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1')
    const channel = /subscribe\r\n\$\d+\r\n([^\r]+)/i.exec(text)?.[1]
    isSubscriber ||= channel !== undefined || /client\r\n.*setname\r\n[^\r]*\r\n[^\r]*signals/is.test(text)
    if (isSubscriber) {
      if (channel !== undefined) socket.write(`*3\r\n$9\r\nsubscribe\r\n$${channel.length}\r\n${channel}\r\n:1\r\n`)
      else for (const name of commandsIn(text)) socket.write(name === 'info' ? '$12\r\nloading:0\r\n \r\n' : '+OK\r\n')
      return
    }
    for (const name of commandsIn(text)) {
      const random = randomFor(name)
      let bytes = name === 'info' ? '$0\r\n\r\n' : reply(random)
      // Rarely, because the gateway calls Redis less while it counts as unavailable.
      if (random(60) === 0) bytes = mutateText(random, bytes, pieces, 2)
      socket.write(Buffer.from(bytes, 'latin1'))
      if (random(400) === 0) socket.destroy()
    }
  })
}

export const redisTarget: FuzzTarget = {
  name: 'redis',
  weight: 2,
  keepsState: true,
  async open() {
    let seed = 0
    const counts = new Map<string, number>()
    // Depends on the case and on how often it sent this command, not on when other commands arrive.
    const randomFor = (command: string) => {
      const count = (counts.get(command) ?? 0) + 1
      counts.set(command, count)
      return makeRandom(createHash('sha256').update(`${seed} ${command} ${count}`).digest().readUInt32BE())
    }
    const failures: string[] = []
    const server = await startTcpServer((socket) => respondTo(socket, randomFor))
    const gateway = await createGateway({
      upstream: emptyUpstream,
      store: 'redis',
      log: { ...silentLog, error: (message, fields) => failures.push(`${message}: ${fields?.['cause']}`) },
      config: {
        secret: 'management-key-of-the-fuzzer',
        storage: { type: 'redis', host: '127.0.0.1', port: server.port },
      },
      definitions: () =>
        [
          definition('keyed', 'http://127.0.0.1:1/', { ...keyed, use_standard_auth: true }),
          definition('open', 'http://127.0.0.1:1/'),
        ] as never,
    })
    await gateway.reload()
    return {
      async run(given) {
        seed = given
        counts.clear()
        failures.length = 0
        const headers = { authorization: `key-${seed}` }
        const { status } = await gateway.inject({ url: '/keyed/x', headers })
        // 200: the reply was a session. 500: the reply was the error of a wrong command. Errors of our own code are not.
        const defect = failures.find((failure) => !/^(a stage failed: ReplyError\b|Redis is unavailable)/.test(failure))
        if (defect !== undefined) throw new FuzzFinding('the gateway logged', defect)
        if (status === 500 && failures.length === 0) throw new FuzzFinding('500 without a line in the log', seed)
        if (![200, 401, 403, 429, 500, 503].includes(status)) throw new FuzzFinding(`a key got ${status}`, seed)
        const open = await gateway.inject('/open/x')
        if (open.status !== 200) throw new FuzzFinding(`an API without keys got ${open.status}`, seed)
      },
      async close() {
        await gateway.close(0)
        await server.stop()
      },
    }
  },
}
