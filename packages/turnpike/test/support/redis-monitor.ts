/** Commands that clients send to a Redis, from MONITOR; commands inside scripts are left out. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface CommandWatch {
  /** Names of the commands since the start, in lower case. */
  stop(): Promise<string[]>
}

export async function watchCommands({
  host,
  port,
  command,
}: {
  readonly host: string
  readonly port: number
  command(words: string): Promise<string>
}): Promise<CommandWatch> {
  const socket = connect(port, host)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString()
  })
  socket.write('MONITOR\r\n')
  const until = async (sign: string) => {
    for (let tried = 0; !text.includes(sign); tried++) {
      if (tried > 1000) throw new Error(`MONITOR did not report ${sign}`)
      await sleep(10)
    }
  }
  await until('+OK')
  return {
    async stop() {
      await command('ECHO the-end-of-the-watch')
      await until('the-end-of-the-watch')
      socket.destroy()
      return [...text.matchAll(/^\+[\d.]+ \[\d+ ([^\]]*)\] "([^"]+)"/gm)]
        .filter(([, client]) => client !== 'lua')
        .map(([, , name]) => (name ?? '').toLowerCase())
        .filter((name) => name !== 'echo')
    },
  }
}
