/** Times tasks of tinybench in several rounds, so that results can be compared with an interval. */
import { Bench } from 'tinybench'
import { spreadOf } from '../measure/statistics.ts'

/** Requests per sample. A single request would mostly measure the clock. */
export const requestsPerSample = 1000

/** Runs of all tasks, one after the other, so that each task has several rounds. */
const runs = 5

/**
 * Runs tasks whose samples contain `requestsPerSample` requests each, and returns a function that
 * returns the microseconds per request of a task.
 * `milliseconds`: time of a task in all rounds.
 */
export async function timeTasks(milliseconds: number, addTasks: (bench: Bench) => void | Promise<void>) {
  const bench = new Bench({ time: milliseconds / runs, warmupTime: milliseconds / 2 / runs })
  await addTasks(bench)
  const micros = new Map<string, number[]>(bench.tasks.map(({ name }) => [name, []]))
  for (let run = 0; run < runs; run++) {
    await bench.run()
    for (const { name, result } of bench.tasks) {
      const { latency } = result as unknown as { latency: { p50: number } }
      micros.get(name)?.push((latency.p50 * 1000) / requestsPerSample)
    }
  }
  return (name: string) => spreadOf(micros.get(name) ?? [])
}
