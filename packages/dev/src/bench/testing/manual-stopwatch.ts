/**
 * A stopwatch that advances by a fixed step at each reading and by explicit calls, so that results do not depend on
 * the machine.
 */
import type { Stopwatch } from '../stopwatch.ts'

export interface ManualStopwatch extends Stopwatch {
  push(micros: number): void
}

export function makeManualStopwatch(stepMicros = 50): ManualStopwatch {
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
