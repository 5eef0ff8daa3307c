/** A stopwatch that goes on by a fixed step at each reading, and where it is pushed: figures do not depend on a machine. */
import type { Stopwatch } from '../stopwatch.ts'

export interface HandStopwatch extends Stopwatch {
  push(micros: number): void
}

export function makeHandStopwatch(stepMicros = 50): HandStopwatch {
  let now = 0
  const read = () => {
    now += stepMicros
    return now
  }
  return {
    nowMicros: read,
    cpuMicros: read,
    push(micros) {
      now += micros
    },
  }
}
