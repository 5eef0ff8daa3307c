/**
 * Handlers as definitions and configurations list them: event name → `{handler_name, handler_meta}` each. What cannot
 * be used is left out and told. Source: docs/reference/events.md#event-list.
 */
import { hookMethods } from '../../definition/event-names.ts'
import { parseTargetUrl } from '../../definition/target-url.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import { boolean, integer, map, object, readShape, text } from '../../lib/shape/shape.ts'
import type { EventHandler } from './event-handler.ts'
import { compileEventTemplate, type EventTemplate } from './event-template.ts'
import { makeLogHandler } from './log-handler.ts'
import { type HookServices, makeWebHook } from './web-hook.ts'

const hookShape = object({
  method: text,
  targetPath: text,
  templatePath: text,
  headerMap: map(text),
  eventTimeout: integer,
  disabled: boolean,
  name: text,
  id: text,
})
const logShape = object({ prefix: text })

export interface HandlerServices extends HookServices {
  /** Product token of the User-Agent, with the vendor word. */
  readonly userAgent: string
  /** Text of a template file; `undefined` when it cannot be read. */
  readonly readTemplate: (path: string) => string | undefined
}

/** An entry of a list as a handler, or why there is none; `undefined`: it is switched off. */
export function readHandler(
  entry: unknown,
  services: HandlerServices,
): EventHandler | { readonly problem: string } | undefined {
  const { handler_name: name, handler_meta: meta } = (entry ?? {}) as Readonly<Record<string, unknown>>
  switch (name) {
    case 'eh_web_hook_handler':
      return readWebHook(meta, services)
    case 'eh_log_handler': {
      const { value } = readShape(logShape, meta)
      return makeLogHandler(value.prefix, services.log)
    }
    default:
      return { problem: `there is no handler "${String(name)}"` }
  }
}

/** A web hook from its meta data alone, as the quota monitor has it. */
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
    return { problem: 'target_path is no absolute URL over http or https' }
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

/** The adapter frames the message and the target names the host; nothing else is the operator's to say. */
const ownHeaders: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'connection'])

function headersOf(given: Readonly<Record<string, string>>, userAgent: string): HeaderPairs {
  const headers = new Map([
    ['user-agent', userAgent],
    ['content-type', 'application/json'],
  ])
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!ownHeaders.has(lower)) headers.set(lower, value)
  }
  return [...headers].flat()
}

/** A template that cannot be read or parsed gives way to the default body, as a hook that says less beats none. */
function templateOf(
  path: string,
  headers: HeaderPairs,
  { readTemplate, log }: HandlerServices,
): EventTemplate | { readonly problem: string } | undefined {
  if (path === '') return undefined
  const source = readTemplate(path)
  if (source === undefined) {
    log.error('the template of a web hook cannot be read, its default body is sent', { path })
    return undefined
  }
  const type = headers[headers.indexOf('content-type') + 1] ?? ''
  const template = compileEventTemplate(source, type.toLowerCase().includes('json'))
  return template.problem === undefined ? template : { problem: `its template is broken: ${template.problem}` }
}
