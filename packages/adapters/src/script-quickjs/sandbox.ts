/**
 * One scope of scripts in QuickJS. It evaluates the sources once and restores the state after that evaluation before each
 * call. Scripts can only use the helpers: QuickJS has no files, no network, no timers and no modules.
 *
 * The time limit of a script (`jsvm_timeout`) is enforced in four places:
 * - `worker-pool.ts` ends the wait for a free worker;
 * - the interrupt handler in this file stops code that runs too long;
 * - `worker-entry.ts` stops waiting for a helper of the gateway;
 * - `worker-handle.ts` ends a thread that does not stop by itself.
 *
 * The limits of memory and stack are set in `openSandbox`; `script-quickjs.ts` has the defaults, `scripts.memory_mb` and
 * `scripts.stack_kb` of the configuration change them.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ScriptProblem, ScriptSource } from '@turnpike/core/lib'
import type { ScriptHelper, ScriptLogLine } from '@turnpike/core/ports'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { base64Helpers } from './base64-helpers.ts'
import { findStack, MemorySnapshot } from './memory-snapshot.ts'
import { sandboxHelpers } from './sandbox-helpers.ts'
import { describeProblem } from './script-problem.ts'
import { plainSource } from './strip-types.ts'
import type { CallMessage, ResultMessage, WorkerStart } from './worker-messages.ts'

/** Runs a helper on the gateway's thread and waits for it, at most until the deadline. */
export type AskGateway = (helper: ScriptHelper, args: readonly string[], deadline: number) => string | undefined

/** Maximum number of log lines of a call, so that a script in a loop does not fill the log. */
const maxLines = 1000
const maxLineLength = 10_000

export interface Sandbox {
  readonly problems: readonly ScriptProblem[]
  /** Lines that the sources logged. */
  readonly logs: readonly ScriptLogLine[]
  run(call: CallMessage): ResultMessage
}

export async function openSandbox(start: WorkerStart, ask: AskGateway): Promise<Sandbox> {
  const { default: variant } = await import('@jitl/quickjs-wasmfile-release-sync')
  const shared = newVariant(variant as unknown as QuickJSSyncVariant, { wasmModule: start.quickJs })
  const quickJs = await newQuickJSWASMModuleFromVariant(shared)
  const runtime = quickJs.newRuntime()
  runtime.setMemoryLimit(start.memoryBytes)
  runtime.setMaxStackSize(start.stackBytes)
  const scope = new Scope(runtime, ask)
  const memory = quickJs.getWasmMemory()
  const stack = findStack(memory)
  scope.define(start)
  const problems = await scope.read(start)
  const logs = scope.takeLogs()
  const snapshot = new MemorySnapshot(memory, stack)
  return {
    problems,
    logs,
    run(call) {
      try {
        return scope.run(call)
      } finally {
        snapshot.restore()
      }
    },
  }
}

class Scope {
  private readonly context: QuickJSContext
  private readonly ask: AskGateway
  private runScript: QuickJSHandle | undefined
  private deadline = Number.POSITIVE_INFINITY
  private lines: ScriptLogLine[] = []

  constructor(runtime: QuickJSRuntime, ask: AskGateway) {
    this.context = runtime.newContext()
    this.ask = ask
    runtime.setInterruptHandler(() => Date.now() > this.deadline)
  }

  /** Defines the helpers and the list library. */
  define({ vendor }: WorkerStart): void {
    const { context } = this
    const native = context.newFunction('native', (...args) => {
      const [name = '', ...rest] = args.map((arg) => context.getString(arg))
      const value = this.helper(name, rest)
      return value === undefined ? context.undefined : context.newString(value)
    })
    const make = context.unwrapResult(context.evalCode(sandboxHelpers, 'helpers'))
    const word = context.newString(vendor)
    this.runScript = context.unwrapResult(context.callFunction(make, context.undefined, word, native))
    for (const handle of [native, make, word]) handle.dispose()
    const underscore = createRequire(import.meta.url).resolve('underscore/underscore-umd-min.js')
    context.unwrapResult(context.evalCode(readFileSync(underscore, 'utf8'), 'underscore')).dispose()
  }

  /** Evaluates all sources, also after one of them failed. Returns the problems. */
  async read({ sources, timeoutMs }: WorkerStart): Promise<ScriptProblem[]> {
    const problems: ScriptProblem[] = []
    for (const source of sources) {
      const plain = await plainSource(source)
      const problem = plain.problem ?? this.readSource(plain.source, timeoutMs)
      if (problem !== undefined) problems.push(problem)
    }
    return problems
  }

  takeLogs(): readonly ScriptLogLine[] {
    const taken = this.lines
    this.lines = []
    return taken
  }

  run({ kind, name, args, deadline }: CallMessage): ResultMessage {
    const { context } = this
    this.deadline = deadline
    try {
      const values = [kind, name, args].map((value) => context.newString(value))
      const returned = context.callFunction(this.runScript as QuickJSHandle, context.undefined, ...values)
      if (returned.error !== undefined) return this.failed(describeProblem(context.dump(returned.error), this.isLate))
      const isText = context.typeof(returned.value) === 'string'
      const value = isText ? context.getString(returned.value) : undefined
      return { type: 'result', value, problem: undefined, logs: this.takeLogs(), isBroken: false }
    } catch (problem) {
      // The instance itself failed, for example its stack; only a new one is safe.
      return { ...this.failed(String(problem)), isBroken: true }
    }
  }

  private get isLate(): boolean {
    return Date.now() > this.deadline
  }

  private failed(problem: string): ResultMessage {
    return { type: 'result', value: undefined, problem, logs: this.takeLogs(), isBroken: false }
  }

  private readSource({ name, text }: ScriptSource, timeoutMs: number): ScriptProblem | undefined {
    const { context } = this
    this.deadline = Date.now() + timeoutMs
    const result = context.evalCode(text, name)
    if (result.error === undefined) {
      result.value.dispose()
      return undefined
    }
    const message = describeProblem(context.dump(result.error), this.isLate)
    result.error.dispose()
    return { source: name, message }
  }

  private helper(name: string, args: readonly string[]): string | undefined {
    const [first = ''] = args
    if (name === 'log' || name === 'rawlog') {
      if (this.lines.length < maxLines) this.lines.push({ text: first.slice(0, maxLineLength), raw: name === 'rawlog' })
      return undefined
    }
    const base64 = base64Helpers[name]
    return base64 === undefined ? this.ask(name as ScriptHelper, args, this.deadline) : base64(first)
  }
}
