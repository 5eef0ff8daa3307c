/** Samples what a process holds: memory after a collection, timers, stored entries and collections. */
import { queryObjects } from 'node:v8'
import type { SoakedNodeServices } from './soaked-node.ts'

/** Needs `--expose-gc`. */
export function makeSampler({ clock, store, upstream }: SoakedNodeServices) {
  let taken = 0
  return {
    take(pending: number): Record<string, number> {
      taken += 1
      for (let i = 0; i < 2; i += 1) globalThis.gc?.()
      return {
        heap: process.memoryUsage().heapUsed / 2 ** 20,
        timers: clock.pending,
        'stored keys': countOf(store.sessions.list('')),
        'stored records': countOf(store.records.names('')),
        // Counting walks the whole heap, which takes seconds.
        ...(taken % 4 === 0 ? { 'maps and sets': objectsOf(Map) + objectsOf(Set) } : {}),
        'upstream calls under way': upstream.underWay(),
        'upstream links': upstream.openLinks(),
        'requests under way': pending,
      }
    },
  }
}

function countOf(names: unknown): number {
  return Array.isArray(names) ? names.length : Number.NaN
}

const objectsOf = (kind: MapConstructor | SetConstructor) => queryObjects(kind, { format: 'count' }) as number
