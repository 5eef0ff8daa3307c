/** Runs scripts that are functions of the test, without a sandbox. Sources are not read. */
import type { ScriptFiles } from '../../src/definition/scripts/script-files.ts'
import type { ScriptCall, ScriptHelper, ScriptLogLine, ScriptRuntime } from '../../src/ports/script.ts'
import type { ScriptSettings } from '../../src/ports/settings.ts'

export interface FakeScriptTools {
  log(text: string): void
  /** Runs a helper of the gateway, as the sandbox does. */
  ask(helper: ScriptHelper, args: readonly string[]): unknown
}

// biome-ignore lint/suspicious/noExplicitAny: scripts have no types.
export type FakeScript = (args: any[], tools: FakeScriptTools) => unknown

export interface FakeScripts extends ScriptRuntime {
  readonly calls: ScriptCall[]
}

/** Scripts by name. What one returns is the result, a text as it is and anything else as JSON; what it throws is its failure. */
export function fakeScripts(scripts: Readonly<Record<string, FakeScript>>): FakeScripts {
  const calls: ScriptCall[] = []
  return {
    calls,
    open({ host }) {
      host.loaded([], [])
      return {
        async call(call) {
          calls.push(call)
          const logs: ScriptLogLine[] = []
          const tools: FakeScriptTools = {
            log: (text) => void logs.push({ text, raw: false }),
            ask: (helper, args) => host.run(helper, args, call.dry),
          }
          try {
            const script = scripts[call.name]
            if (script === undefined) throw new Error(`${call.name} is not defined`)
            const returned = await script(JSON.parse(call.args) as unknown[], tools)
            const value = typeof returned === 'string' ? returned : JSON.stringify(returned)
            return { value, problem: undefined, logs }
          } catch (cause) {
            return { value: undefined, problem: String(cause), logs }
          }
        },
        close() {},
      }
    },
    close: () => Promise.resolve(),
  }
}

export const noScriptFiles: ScriptFiles = {
  read: () => Promise.resolve(''),
  list: () => Promise.resolve([]),
  bundle: () => Promise.resolve({ kind: 'disabled' }),
}

export const scriptsOn: ScriptSettings = {
  enabled: true,
  timeoutMs: 5000,
  allowsBlobs: true,
  commonFile: '',
  folder: 'middleware',
}
