/**
 * Lets an accepted socket read into memory of the gateway. Node has `onread` for sockets of clients only, so this moves the
 * handle of the accepted socket to a new one. That is private API of Node: `readsIntoMemory` tests it at the start, and
 * without it sockets emit `data` with new memory for each read.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { ReadMemory } from '@turnpike/upstream/read-memory'

/** Receives what a socket reads. */
export interface ReadReceiver {
  /** More bytes of a body are expected. */
  readonly isBodyFlowing: boolean
  /** The first `count` bytes of the memory were read. Returns false to stop reading. */
  read(count: number): boolean
}

export class AcceptedReads {
  readonly socket: Socket
  readonly memory = new ReadMemory()
  receiver: ReadReceiver | undefined = undefined
  private lastRead = 0

  /** Takes over the connection of the socket, which is destroyed. No event of it may have been handled. */
  constructor(accepted: Socket) {
    const inner = accepted as { _handle?: unknown }
    const handle = inner._handle
    inner._handle = null
    const onread = {
      buffer: () => this.memory.next(this.lastRead, this.receiver?.isBodyFlowing === true),
      callback: (count: number) => {
        this.lastRead = count
        return this.receiver?.read(count) !== false
      },
    }
    const options: SocketConstructorOpts & { handle: unknown; onread: OnReadOpts } = {
      handle,
      allowHalfOpen: true,
      onread,
    }
    this.socket = new Socket(options)
    accepted.destroy()
  }
}

let tested: Promise<boolean> | undefined

/** Whether `AcceptedReads` works with this version of Node; tested once with a connection on the loopback interface. */
export function readsIntoMemory(): Promise<boolean> {
  tested ??= testReads().catch(() => false)
  return tested
}

const testMs = 2_000

/** Sends bytes in both directions, with a pause between, and ends the connection. */
async function testReads(): Promise<boolean> {
  const server = createServer({ allowHalfOpen: true })
  const signal = AbortSignal.timeout(testMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening', { signal })
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  try {
    const [accepted] = (await once(server, 'connection', { signal })) as [Socket]
    const { socket, received } = echo(accepted)
    const replied = once(client, 'data', { signal })
    client.write('ab')
    await replied
    client.end('cd')
    await once(socket, 'end', { signal })
    socket.destroy()
    return received() === 'abcd'
  } finally {
    client.destroy()
    server.close()
  }
}

/** Collects what a client sends, sends the first bytes back, and reads the next ones after a pause. */
function echo(accepted: Socket): { socket: Socket; received: () => string } {
  const reads = new AcceptedReads(accepted)
  const { socket, memory } = reads
  let received = ''
  reads.receiver = {
    isBodyFlowing: false,
    read(count) {
      received += memory.bytes.toString('latin1', 0, count)
      socket.pause()
      socket.write('x')
      setImmediate(() => socket.resume())
      return true
    },
  }
  socket.on('error', () => {})
  return { socket, received: () => received }
}
