/** The `Io` of a real process. */
import { makeBufferedLineWriter } from '@turnpike/adapters/buffered-line-writer'
import type { Io } from '../terminal/io.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

export interface ProcessIo extends Io {
  /** Returns true after a signal to stop, or a bug. */
  wasStopped(): boolean
}

export function processIo(): ProcessIo {
  // Without a listener, a closed pipe (`turnpike check | head`) would end the process with a stack trace.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const lineWriter = makeBufferedLineWriter(process.stdout)
  process.once('exit', lineWriter.flush)
  let stopped = false
  return {
    out(text) {
      lineWriter.flush()
      process.stdout.write(`${text}\n`)
    },
    outSoon: lineWriter.add,
    err: (text) => void process.stderr.write(`${text}\n`),
    isTerminal: process.stdout.isTTY === true,
    environment: process.env,
    cwd: process.cwd(),
    wasStopped: () => stopped,
    onHangUp: (listener) => onSignal('SIGHUP', listener),
    onRestart: (listener) => onSignal('SIGUSR2', listener),
    onBug(listener) {
      const events = ['uncaughtException', 'unhandledRejection'] as const
      const onBug = (cause: unknown) => {
        stopped = true
        listener(cause)
      }
      for (const event of events) process.on(event, onBug)
      return () => {
        for (const event of events) process.off(event, onBug)
      }
    },
    onStop(listener) {
      const listeners = stopSignals.map((signal) => {
        const onStopSignal = () => {
          stopped = true
          listener(signal)
        }
        return [signal, onStopSignal] as const
      })
      for (const [signal, onStopSignal] of listeners) process.on(signal, onStopSignal)
      const stopWatching = watchParent(() => {
        stopped = true
        listener('the npm that started this ended')
      })
      return () => {
        stopWatching()
        for (const [signal, onStopSignal] of listeners) process.off(signal, onStopSignal)
      }
    },
  }
}

function onSignal(signal: NodeJS.Signals, listener: () => void): () => void {
  process.on(signal, listener)
  return () => void process.off(signal, listener)
}

/**
 * Detects that the npm process that started the gateway ended. npm starts scripts through a shell that does not forward
 * SIGTERM, so the gateway would keep running and hold its port. The parent process id changes when the shell ends.
 * Returns a function that stops the check.
 */
function watchParent(onGone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, 500).unref()
  return () => clearInterval(timer)
}
