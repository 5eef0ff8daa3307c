/** The messages between the gateway's thread and a script worker. */

import type { MessagePort } from 'node:worker_threads'
import type { ScriptProblem, ScriptSource } from '@turnpike/core/lib'
import type { ScriptHelper, ScriptKind, ScriptLogLine } from '@turnpike/core/ports'

/** `workerData` of a worker. */
export interface WorkerStart {
  /** WebAssembly module of QuickJS, which the gateway's thread compiles once for all workers. */
  readonly quickJs: object
  readonly sources: readonly ScriptSource[]
  readonly timeoutMs: number
  readonly vendor: string
  readonly memoryBytes: number
  readonly stackBytes: number
  /** Replies of helpers arrive here while the worker waits. */
  readonly replies: MessagePort
  /** One 32-bit counter, increased with each reply; the worker waits for its change. */
  readonly signal: SharedArrayBuffer
}

/** A call of a script. The gateway sends the next one after the result of this one. */
export interface CallMessage {
  readonly kind: ScriptKind
  readonly name: string
  readonly args: string
  /** Unix time in ms at which the call fails. */
  readonly deadline: number
}

export type WorkerMessage =
  | { readonly type: 'ready'; readonly problems: readonly ScriptProblem[]; readonly logs: readonly ScriptLogLine[] }
  | { readonly type: 'helper'; readonly id: number; readonly helper: ScriptHelper; readonly args: readonly string[] }
  | ResultMessage

export interface ResultMessage {
  readonly type: 'result'
  readonly value: string | undefined
  readonly problem: string | undefined
  readonly logs: readonly ScriptLogLine[]
  /** True if QuickJS itself failed. The worker must then be ended. */
  readonly isBroken: boolean
}

export interface HelperReply {
  readonly id: number
  readonly value: string | undefined
}
