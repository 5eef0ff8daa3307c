/** Sends one command to Redis over a connection of its own, for tests that must not depend on a client library. */
import { connect } from 'node:net'

const deadlineMs = 5000

/** Resolves with the first line of the reply. Rejects without a reply within 5 s. */
export function askRedis(host: string, port: number, words: string): Promise<string> {
  return exchange(host, port, words, (bytes) => {
    const end = bytes.indexOf('\r\n')
    return end === -1 ? undefined : bytes.subarray(0, end).toString()
  })
}

/** Resolves with the text of the reply, which can have several lines. Rejects if the reply is an error or not a text. */
export function readFromRedis(host: string, port: number, words: string): Promise<string> {
  return exchange(host, port, words, (bytes) => {
    const end = bytes.indexOf('\r\n')
    if (end === -1) return undefined
    const head = bytes.subarray(0, end).toString()
    if (head.startsWith('+') || head.startsWith(':')) return head.slice(1)
    if (!head.startsWith('$')) throw new Error(`${words}: ${head}`)
    const start = end + '\r\n'.length
    const length = Number(head.slice(1))
    return bytes.length < start + length ? undefined : bytes.subarray(start, start + length).toString()
  })
}

/** `parse` returns `undefined` while the reply is incomplete. */
function exchange(
  host: string,
  port: number,
  words: string,
  parse: (bytes: Buffer) => string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(`${words}\r\n`))
    let bytes = Buffer.alloc(0)
    socket.setTimeout(deadlineMs, () => socket.destroy(new Error('no reply in 5 s')))
    socket.on('error', reject)
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more])
      try {
        const reply = parse(bytes)
        if (reply === undefined) return
        resolve(reply)
        socket.destroy()
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    socket.on('close', () => reject(new Error('closed without a reply')))
  })
}
