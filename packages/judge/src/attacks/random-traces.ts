/** Traces drawn from a seed: bursts and crowds with pauses, close to the limit and to the period. */
import type { RateLimit } from '../models/model.ts'
import type { Step, Trace } from '../trace/trace-and-history.ts'
import { overflowOf } from './attack.ts'

/** A generator of numbers from 0 to 1 (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function randomTraces(limit: RateLimit, seed: number, count: number): readonly Trace[] {
  const random = makeRandom(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const half = Math.max(1, Math.ceil(limit.count / 2))
  return Array.from({ length: count }, () => {
    const steps: Step[] = []
    let at = 0
    for (let left = 2 + Math.floor(random() * 4); left > 0 && at < 2.2 * limit.periodMs; left -= 1) {
      const requests = pick([1, 1, 2, half, limit.count, limit.count + 1, overflowOf(limit)])
      steps.push({ atMs: Math.round(at), count: requests, together: requests > 1 && random() < 0.25 })
      at += limit.periodMs * pick([0.05, 0.2, 0.35, 0.5, 0.8, 0.97, 1.03, 1.2])
    }
    return { steps }
  })
}
