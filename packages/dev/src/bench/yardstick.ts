/**
 * A fixed piece of work that has nothing to do with the gateway: map look-ups and text, as the hot path does them.
 * Two runs are comparable by it, also where the machine was faster in one of them.
 */
import { type Metric, metricOf } from './metric.ts'
import type { Stopwatch } from './stopwatch.ts'

const names = Array.from({ length: 512 }, (_, i) => `name-${i * 7919}`)

/** Microseconds of CPU time of the work. */
export function measureYardstick({ cpuMicros }: Stopwatch, rounds: number): Metric {
  const samples: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    const startedAt = cpuMicros()
    work()
    // The first two only warm up.
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
