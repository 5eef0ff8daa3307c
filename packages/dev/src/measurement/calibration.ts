/**
 * The calibration workload: a fixed amount of map look-ups and string operations, similar to the hot path but
 * independent of the gateway. Results of machines of different speed are compared by their ratios to it. It runs in each
 * round of the measurements, so that it sees the same busy moments.
 */
import { type Metric, metricOf } from './metric.ts'

const names = Array.from({ length: 512 }, (_, i) => `name-${i * 7919}`)
const warmUpRuns = 2

export interface Calibration {
  /** Runs the workload once and keeps its CPU time. */
  run(): void
  /** Returns the CPU time of the workload in microseconds. */
  read(): Metric
}

export function makeCalibration({ cpuMicros }: { readonly cpuMicros: () => number }): Calibration {
  for (let i = 0; i < warmUpRuns; i++) work()
  const samples: number[] = []
  return {
    run() {
      const startedAt = cpuMicros()
      work()
      samples.push(cpuMicros() - startedAt)
    },
    read: () => metricOf(samples),
  }
}

function work(): number {
  const counts = new Map<string, number>()
  let sum = 0
  for (let i = 0; i < 200_000; i++) {
    const name = names[(i * 31) & 511] as string
    counts.set(name, (counts.get(name) ?? 0) + 1)
    sum += name.charCodeAt(i % name.length) + name.slice(2).length
  }
  return sum + counts.size
}
