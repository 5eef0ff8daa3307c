/** The `Io` of a real process. */
import type { Io } from './io.ts'
import { makeLateLines } from './late-lines.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

export function processIo(): Io {
  // A reader that went away (`turnpike check | head`) is no reason to end with a stack trace.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const late = makeLateLines(process.stdout)
  process.once('exit', late.flush)
  return {
    out(text) {
      late.flush()
      process.stdout.write(`${text}\n`)
    },
    outSoon: late.add,
    err: (text) => void process.stderr.write(`${text}\n`),
    isTerminal: process.stdout.isTTY === true,
    environment: process.env,
    cwd: process.cwd(),
    onStop(listener) {
      const listeners = stopSignals.map((signal) => [signal, () => listener(signal)] as const)
      for (const [signal, hear] of listeners) process.on(signal, hear)
      return () => {
        for (const [signal, hear] of listeners) process.off(signal, hear)
      }
    },
  }
}
