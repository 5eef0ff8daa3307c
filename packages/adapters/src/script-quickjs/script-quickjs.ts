/** Scripts in QuickJS (WebAssembly), in worker threads with a pool per scope; see docs/decisions/0021-scripts.md. */
import type { ScriptRuntime } from '@turnpike/core/ports'
import { StartGate } from './start-gate.ts'
import { type PoolLimits, WorkerPool } from './worker-pool.ts'

export type QuickJsScriptOptions = Partial<PoolLimits>

const defaultLimits: PoolLimits = {
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 512 * 1024,
  maxWorkers: 2,
  maxWaiting: 1000,
  idleMs: 300_000,
}

/** Workers that start at once in advance of calls. */
const maxStarting = 2

export function makeQuickJsScripts(options: QuickJsScriptOptions = {}): ScriptRuntime {
  const limits = { ...defaultLimits, ...options }
  const gate = new StartGate(maxStarting)
  const pools = new Set<WorkerPool>()
  return {
    open(scope) {
      const pool = new WorkerPool(scope, limits, gate, (ended) => pools.delete(ended))
      pools.add(pool)
      return pool
    },
    async close() {
      for (const pool of [...pools]) pool.end()
    },
  }
}
