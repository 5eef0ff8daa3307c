/** Opens a scope per API, runs its scripts and logs what they log (docs/reference/scripts.md#script-rules). */
import type { ApiDefinition, ApiScripts } from '../../definition/api-definition.ts'
import type { ScriptProblem, ScriptSource } from '../../lib/script-source.ts'
import { vendorForms } from '../../lib/vendor.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ScriptLogLine, ScriptRuntime, ScriptScope } from '../../ports/script.ts'
import type { RunScript, Scripts } from '../contract/scripts.ts'
import type { StageServices } from '../contract/stage-services.ts'
import type { Trace } from '../contract/stage-trace.ts'
import { makeScriptHost, type ScriptHostServices } from './script-host.ts'

type OnRelease = StageServices['onRelease']

/** Fields of lines that scripts log. */
export const scriptLogFields = { prefix: 'jsvm', type: 'log-msg' } as const

/** Characters of a script's result that a trace shows at most. */
const maxShown = 2000

export interface ScriptScopesServices extends ScriptHostServices {
  readonly runtime: ScriptRuntime
  readonly loading: LoadingScopes
}

export function makeScripts(parts: ScriptScopesServices): Scripts {
  const { keys, log } = parts
  const scopes = new WeakMap<ApiScripts, RunScript>()

  const open = (api: ApiDefinition, scripts: ApiScripts, onRelease: OnRelease): RunScript => {
    const loaded = parts.loading.begin()
    const scope = openScope(parts, { api, logName: api.id, sources: scripts.sources, onLoaded: loaded })
    reportProblems(scripts.unread, api.id, log)
    onRelease?.(() => {
      loaded()
      scope.close()
    })
    return makeRunScript(scope, api.id, log)
  }

  return {
    keys,
    scopeOf(api, onRelease) {
      const { scripts } = api
      if (scripts === undefined) return notRead
      let run = scopes.get(scripts)
      if (run === undefined) {
        run = open(api, scripts, onRelease)
        scopes.set(scripts, run)
      }
      return run
    },
  }
}

interface ScopeOptions {
  /** `undefined`: the scripts belong to no API. */
  readonly api: ApiDefinition | undefined
  /** Shown as `api` in log lines. */
  readonly logName: string
  readonly sources: readonly ScriptSource[]
  onLoaded(): void
}

/** Opens a scope, and logs what its sources log and which of them are not valid. */
export function openScope(parts: ScriptScopesServices, { api, logName, sources, onLoaded }: ScopeOptions): ScriptScope {
  const { runtime, log, settings } = parts
  const timeoutMs = settings.scripts?.timeoutMs ?? 0
  return runtime.open({
    sources,
    timeoutMs,
    vendor: vendorForms(settings.vendor).title,
    host: {
      run: makeScriptHost(api, parts, timeoutMs),
      loaded(problems, lines) {
        onLoaded()
        reportProblems(problems, logName, log)
        logLines(lines, logName, log)
      },
    },
  })
}

const notRead: RunScript = async () => ({ value: undefined, problem: 'the sources were not read', logs: [] })

function makeRunScript(scope: ScriptScope, apiId: string, log: Log): RunScript {
  return async ({ trace }, kind, name, args) => {
    const result = await scope.call({ kind, name, args: `[${args.join(',')}]`, dry: trace?.dry ?? false })
    logLines(result.logs, apiId, log)
    if (trace !== undefined) noteResult(trace, name, result.logs, result.problem ?? result.value)
    if (result.problem !== undefined) {
      log.error('a script failed', { api: apiId, script: name, reason: result.problem })
    }
    return result
  }
}

function noteResult(trace: Trace, name: string, lines: readonly ScriptLogLine[], returned: string | undefined): void {
  for (const { text } of lines) {
    if (trace.scriptLine === undefined) trace.note(`${name} logged: ${text}`)
    else trace.scriptLine(text)
  }
  const shown = returned ?? 'nothing'
  trace.note(`${name} returned: ${shown.length > maxShown ? `${shown.slice(0, maxShown)} …` : shown}`)
}

export function logLines(lines: readonly ScriptLogLine[], apiId: string, log: Log): void {
  for (const { text, raw } of lines) {
    if (raw) log.info(text)
    else log.info(text, { ...scriptLogFields, api: apiId })
  }
}

export function reportProblems(problems: readonly ScriptProblem[], apiId: string, log: Log): void {
  for (const { source, message } of problems) {
    log.error('a script source cannot be read', { api: apiId, source, reason: message })
  }
}

/** Many APIs with scripts take longer to start; their first calls then wait for a worker. */
const maxWaitMs = 5000

/** Scopes whose sources are still being read. A reload waits for them, so that the first request finds a warm worker. */
export class LoadingScopes {
  private readonly loading = new Set<object>()
  private onIdle: (() => void) | undefined

  /** Returns the function to call when the sources have been read or the scope is closed. */
  begin(): () => void {
    const token = {}
    this.loading.add(token)
    return () => {
      if (this.loading.delete(token) && this.loading.size === 0) this.onIdle?.()
    }
  }

  /** Resolves when no scope is being read, at the latest after five seconds. */
  async settled(clock: Pick<Clock, 'after'>): Promise<void> {
    if (this.loading.size === 0) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(maxWaitMs, resolve)
      this.onIdle = () => {
        cancel()
        resolve()
      }
    })
  }
}
