/** The names of this folder that other packages import, as `@turnpike/core/store-memory`. */
export { makeMemoryCounters } from './memory-counters.ts'
export { makeMemoryDedupKeys } from './memory-dedup-keys.ts'
export { makeMemoryResponses } from './memory-responses.ts'
export { makeMemoryStore } from './memory-store.ts'
export { makeMemorySignals } from './signals-memory.ts'
