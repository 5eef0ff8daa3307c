/** Scripts in QuickJS (WebAssembly), in worker threads with a pool per scope; see docs/decisions/0021-scripts.md. */
import type { ScriptRuntime } from '@turnpike/core'
import { StartGate } from './start-gate.ts'
import { type PoolLimits, WorkerPool } from './worker-pool.ts'

export interface QuickJsScriptOptions {
  /** Memory of a scope in bytes. Default: 64 MiB. */
  readonly memoryBytes?: number
  /** Stack of a script in bytes. Default: 512 KiB. */
  readonly stackBytes?: number
  /** Threads of one scope. Default: 2. */
  readonly maxWorkers?: number
  /** Default: 1,000. */
  readonly maxWaiting?: number
  /** Default: 5 minutes. */
  readonly idleMs?: number
}

/** Workers that start at once in advance of calls. */
const maxStarting = 2

export function makeQuickJsScripts(options: QuickJsScriptOptions = {}): ScriptRuntime {
  const limits: PoolLimits = {
    memoryBytes: options.memoryBytes ?? 64 * 1024 * 1024,
    stackBytes: options.stackBytes ?? 512 * 1024,
    maxWorkers: options.maxWorkers ?? 2,
    maxWaiting: options.maxWaiting ?? 1000,
    idleMs: options.idleMs ?? 300_000,
  }
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
