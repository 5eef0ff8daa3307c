/**
 * Scripts of events. All of them share one scope, which is read again after each reload
 * (docs/reference/scripts.md#event-scripts).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { ScriptFiles } from '../../definition/scripts/script-files.ts'
import { SourceReader } from '../../definition/scripts/source-reader.ts'
import { memberOf, textOf } from '../../lib/json.ts'
import type { RunEventScript } from '../../observability/events/script-handler.ts'
import type { ScriptScope } from '../../ports/script.ts'
import { logLines, openScope, reportProblems, type ScriptScopesServices } from './script-scopes.ts'

export interface EventScripts {
  readonly run: RunEventScript
  /** The definitions were reloaded: reads the sources again. */
  renew(): void
  close(): void
}

/** Shown as `api` in log lines. */
const logName = 'event handlers'

export function makeEventScripts(services: ScriptScopesServices, files: Pick<ScriptFiles, 'read'>): EventScripts {
  const { log } = services
  let scope: Promise<ScriptScope> | undefined
  let loaded: () => void = () => undefined

  const run = async (name: string, args: string): Promise<void> => {
    scope ??= open()
    const { problem, logs } = await (await scope).call({ kind: 'event', name, args, dry: false })
    logLines(logs, logName, log)
    if (problem !== undefined) log.error('a script of an event failed', { script: name, reason: problem })
  }

  const open = () => {
    loaded = services.loading.begin()
    return openEventScope(services, files, loaded)
  }

  const close = () => {
    const old = scope
    scope = undefined
    loaded()
    old?.then((opened) => opened.close()).catch(() => undefined)
  }

  return {
    run(name, event, context) {
      run(name, `[${event},${context}]`).catch((cause: unknown) => {
        log.error('a script of an event failed', { script: name, reason: String(cause) })
      })
    },
    renew() {
      close()
      // In advance, so that the first event does not wait for a worker.
      if (services.apis().some((api) => pathsOf(api).length > 0)) scope = open()
    },
    close,
  }
}

async function openEventScope(
  services: ScriptScopesServices,
  files: Pick<ScriptFiles, 'read'>,
  onLoaded: () => void,
): Promise<ScriptScope> {
  const reader = new SourceReader(files)
  for (const path of new Set(services.apis().flatMap(pathsOf))) await reader.addFile(path)
  reportProblems(reader.unread, logName, services.log)
  return openScope(services, { api: undefined, logName, sources: reader.sources, onLoaded })
}

/** The files that the event handlers of an API name. */
function pathsOf({ document }: ApiDefinition): string[] {
  return Object.values(document.eventHandlers.events ?? {})
    .flatMap((handlers) => handlers ?? [])
    .filter((handler) => memberOf(handler, 'handler_name') === 'eh_dynamic_handler')
    .filter((handler) => memberOf(handler, 'handler_meta', 'disabled') !== true)
    .map((handler) => textOf(memberOf(handler, 'handler_meta', 'path')))
    .filter((path) => path !== '')
}
