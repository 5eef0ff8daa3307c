/** The clock that a benchmark times with; tests put one in that stands until it is moved. */
export interface Stopwatch {
  /** Microseconds that only go forward. */
  readonly nowMicros: () => number
  /** Microseconds that this process has worked: on a busy machine less than has passed. */
  readonly cpuMicros: () => number
}

export const systemStopwatch: Stopwatch = {
  nowMicros: () => performance.now() * 1000,
  cpuMicros() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
}

/** What reading the stopwatch costs itself, microseconds: taken off what is timed piece by piece. */
export function costOfReading({ nowMicros }: Pick<Stopwatch, 'nowMicros'>): number {
  const pairs = Array.from({ length: 2001 }, () => {
    const before = nowMicros()
    return nowMicros() - before
  })
  return pairs.toSorted((a, b) => a - b)[1000] ?? 0
}
