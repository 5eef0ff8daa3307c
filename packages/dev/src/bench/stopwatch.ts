/** The clock that the benchmark measures with; tests replace it with one that only advances on request. */
export interface Stopwatch {
  /** Monotonic time in microseconds. */
  readonly nowMicros: () => number
  /** CPU time of this process in microseconds. */
  readonly cpuMicros: () => number
}

export const systemStopwatch: Stopwatch = {
  nowMicros: () => performance.now() * 1000,
  cpuMicros() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
}

/** The cost of reading the stopwatch in microseconds. It is subtracted from measurements of single stages. */
export function costOfReading({ nowMicros }: Pick<Stopwatch, 'nowMicros'>): number {
  const pairs = Array.from({ length: 2001 }, () => {
    const before = nowMicros()
    return nowMicros() - before
  })
  return pairs.toSorted((a, b) => a - b)[1000] ?? 0
}
