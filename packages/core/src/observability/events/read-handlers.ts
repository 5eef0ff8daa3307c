/**
 * Parses the event handlers of definitions and configurations: lists of `{handler_name, handler_meta}` by event name.
 * Invalid handlers are ignored and logged. Source: docs/reference/events.md#event-list.
 */

import { hookShape, logHandlerShape } from '../../definition/event-handlers-shape.ts'
import { hookMethods } from '../../definition/event-names.ts'
import { parseTargetUrl } from '../../definition/target-url.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { templateSources } from '../../lib/template/sources.ts'
import { fieldValueOf } from '../../lib/text/field-values.ts'
import type { Ids } from '../../ports/ids.ts'
import type { EventHandler } from './event-handler.ts'
import { compileEventTemplate, type EventTemplate } from './event-template.ts'
import { makeLogHandler } from './log-handler.ts'
import { type RunEventScript, readScriptHandler } from './script-handler.ts'
import { type HookServices, makeWebHook } from './web-hook.ts'

export interface HandlerServices extends HookServices {
  /** Product token of the User-Agent, with the vendor word. */
  readonly userAgent: string
  /** Returns the text of a template file; `undefined` if it cannot be read. */
  readonly readTemplate: (path: string) => string | undefined
  /** Random values of templates; `undefined`: templates that need them fail. */
  readonly ids?: Ids | undefined
  /** Runs event scripts; `undefined`: scripts are switched off. */
  readonly runScript?: RunEventScript | undefined
}

/** Parses an entry of a list; `undefined` if it is disabled. */
export function readHandler(
  entry: unknown,
  services: HandlerServices,
): EventHandler | { readonly problem: string } | undefined {
  const { handler_name: name, handler_meta: meta } = (entry ?? {}) as Readonly<Record<string, unknown>>
  switch (name) {
    case 'eh_web_hook_handler':
      return readWebHook(meta, services)
    case 'eh_log_handler': {
      const { value } = readShape(logHandlerShape, meta)
      return makeLogHandler(value.prefix, services.log)
    }
    case 'eh_dynamic_handler':
      return readScriptHandler(meta, services.runScript)
    default:
      return { problem: `there is no handler "${String(name)}"` }
  }
}

/** Parses a web hook from its metadata, for the quota monitor. */
export function readWebHook(
  meta: unknown,
  services: HandlerServices,
): EventHandler | { readonly problem: string } | undefined {
  const read = readShape(hookShape, meta)
  if (!read.readable) return { problem: `its meta data is malformed: ${read.problems[0]?.message ?? ''}` }
  const { value } = read
  if (value.disabled) return undefined
  const target = parseTargetUrl(value.targetPath)
  if (target === undefined || (target.scheme !== 'http' && target.scheme !== 'https') || target.origin === '') {
    return { problem: 'target_path is not an absolute http or https URL' }
  }
  const headers = headersOf(value.headerMap ?? {}, services.userAgent)
  const template = templateOf(value.templatePath, headers, services)
  if (template !== undefined && template.problem !== undefined) return template
  const method = value.method.toUpperCase()
  const hook = {
    method: hookMethods.has(method) ? method : 'GET',
    target,
    headers,
    template,
    quietMs: value.eventTimeout > 0 ? value.eventTimeout * 1000 : undefined,
  }
  return makeWebHook(hook, services)
}

/** Headers that operators cannot set: the adapter sets the framing, and the target URL sets the host. */
const ownHeaders: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'connection'])

function headersOf(given: Readonly<Record<string, string>>, userAgent: string): HeaderPairs {
  const headers = new Map([
    ['user-agent', userAgent],
    ['content-type', 'application/json'],
  ])
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!ownHeaders.has(lower)) headers.set(lower, fieldValueOf(value))
  }
  return [...headers].flat()
}

/** A template that cannot be read is replaced by the default body, because a hook with less content is better than none. */
function templateOf(
  path: string,
  headers: HeaderPairs,
  { readTemplate, log, clock, ids }: HandlerServices,
): EventTemplate | { readonly problem: string } | undefined {
  if (path === '') return undefined
  const source = readTemplate(path)
  if (source === undefined) {
    log.error('the template of a web hook cannot be read, its default body is sent', { path })
    return undefined
  }
  const type = headers[headers.indexOf('content-type') + 1] ?? ''
  const template = compileEventTemplate(source, type, templateSources(clock, ids))
  return template.problem === undefined ? template : { problem: `its template is invalid: ${template.problem}` }
}
