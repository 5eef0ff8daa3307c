/**
 * The calibration workload: a fixed amount of map look-ups and string operations, similar to the hot path but
 * independent of the gateway. It makes runs on machines of different speed comparable.
 */
import { type Metric, metricOf } from './metric.ts'
import type { Stopwatch } from './stopwatch.ts'

const names = Array.from({ length: 512 }, (_, i) => `name-${i * 7919}`)

/** Returns the CPU time of the workload in microseconds. */
export function measureYardstick({ cpuMicros }: Stopwatch, rounds: number): Metric {
  const samples: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const startedAt = cpuMicros()
    work()
    // The first two rounds only warm up.
    if (round >= 2) samples.push(cpuMicros() - startedAt)
  }
  return metricOf(samples)
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
