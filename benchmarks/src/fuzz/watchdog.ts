/**
 * Detects cases that never end, also those that block the event loop: a thread compares the number of started cases every
 * half second. After `limitMs` without a new case it prints how to reproduce the case and ends the process.
 */

import { writeSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import type { CaseRange } from './run-target.ts'

interface Shared {
  /** Number of started cases, index of the target, first seed of the sequence and number of its cases. */
  readonly state: Float64Array
  readonly names: readonly string[]
  readonly limitMs: number
}

export interface Watchdog {
  started(target: number, range: CaseRange): void
  stop(): Promise<unknown>
}

export function startWatchdog(names: readonly string[], limitMs: number): Watchdog {
  const state = new Float64Array(new SharedArrayBuffer(4 * Float64Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL(import.meta.url), { workerData: { state, names, limitMs } satisfies Shared })
  worker.unref()
  return {
    started(target, { first, count }) {
      state[1] = target
      state[2] = first
      state[3] = count
      state[0] = (state[0] ?? 0) + 1
    },
    stop: () => worker.terminate(),
  }
}

export function reproduction(name: string, { first, count }: CaseRange): string {
  return `npm run fuzz -- --only ${name} --seed ${first} --cases ${count}`
}

function watch({ state, names, limitMs }: Shared): void {
  let seen = -1
  let since = performance.now()
  setInterval(() => {
    const [started = 0, target = 0, first = 0, count = 0] = state
    if (started !== seen) {
      seen = started
      since = performance.now()
    } else if (started > 0 && performance.now() - since > limitMs) {
      const name = names[target] ?? ''
      writeSync(
        2,
        `${name}: a case did not end within ${limitMs} ms\nreproduce: ${reproduction(name, { first, count })}\n`,
      )
      process.kill(process.pid, 'SIGKILL')
    }
  }, 500)
}

if (!isMainThread) watch(workerData as Shared)
