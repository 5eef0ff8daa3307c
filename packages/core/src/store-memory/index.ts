/** The names of this folder that other packages import, as `@turnpike/core/store-memory`. */
export { CounterEncoder, decodeCounter } from './counter-codec.ts'
export { type CounterOperations, CounterState, keptAfterEndMs, makeCounterOperations } from './counter-operations.ts'
export { makeMemoryCounters } from './memory-counters.ts'
export { makeMemoryDedupKeys } from './memory-dedup-keys.ts'
export { makeMemoryResponses } from './memory-responses.ts'
export { makeMemoryStore } from './memory-store.ts'
export { makeMemorySignals } from './signals-memory.ts'
