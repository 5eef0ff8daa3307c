/** The `Io` of a real process. */
import { makeLateLines } from '@turnpike/adapters/late-lines'
import type { Io } from './io.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

export interface ProcessIo extends Io {
  /** A signal to stop has come. */
  wasStopped(): boolean
}

export function processIo(): ProcessIo {
  // A reader that went away (`turnpike check | head`) is no reason to end with a stack trace.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const late = makeLateLines(process.stdout)
  process.once('exit', late.flush)
  let stopped = false
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
    wasStopped: () => stopped,
    onStop(listener) {
      const listeners = stopSignals.map((signal) => {
        const hear = () => {
          stopped = true
          listener(signal)
        }
        return [signal, hear] as const
      })
      for (const [signal, hear] of listeners) process.on(signal, hear)
      return () => {
        for (const [signal, hear] of listeners) process.off(signal, hear)
      }
    },
  }
}
