/** Checks event handlers. The gateway silently skips an invalid handler when it loads an API. */

import { objectOf } from '../../lib/json.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import { eventNames, hookMethods } from '../event-names.ts'
import type { Report } from '../findings/finding.ts'
import { parseTargetUrl } from '../target-url.ts'
import type { Lint } from './lint.ts'

/** Handlers of the original gateway that run plugins in other languages. */
const unsupportedHandlers = ['cp_dynamic_handler']
const handlerNames = ['eh_web_hook_handler', 'eh_log_handler', 'eh_dynamic_handler']

export const eventLint: Lint = (document, report) => lintEventHandlers(document.eventHandlers.events, report)

/** Checks the handlers of a definition or of a configuration. */
export function lintEventHandlers(events: Readonly<Record<string, readonly unknown[] | null>> | null, report: Report) {
  for (const [name, handlers] of Object.entries(events ?? {})) {
    const path = ['event_handlers', 'events', name]
    if (!(eventNames as readonly string[]).includes(name)) {
      report('unknown-event', path, {}, nearestName(name, eventNames))
    }
    for (const [i, handler] of (handlers ?? []).entries()) lintHandler(handler, [...path, i], report)
  }
}

function lintHandler(handler: unknown, path: JsonPath, report: Report): void {
  const { handler_name: name, handler_meta: meta } = objectOf(handler)
  if (typeof name === 'string' && unsupportedHandlers.includes(name)) {
    report('unsupported-event-handler', [...path, 'handler_name'], { name })
    return
  }
  if (typeof name !== 'string' || !handlerNames.includes(name)) {
    const known = typeof name === 'string' ? nearestName(name, handlerNames) : undefined
    report('unknown-event-handler', [...path, 'handler_name'], {}, known)
    return
  }
  if (name === 'eh_web_hook_handler') lintHook(meta, [...path, 'handler_meta'], report)
  if (name !== 'eh_dynamic_handler') return
  const { name: script, path: file } = objectOf(meta)
  if (typeof script !== 'string' || typeof file !== 'string' || script === '' || file === '') {
    report('incomplete-event-script', [...path, 'handler_meta'])
  }
}

/** Checks the settings of a web hook. */
export function lintHook(given: unknown, path: JsonPath, report: Report): void {
  const meta = objectOf(given)
  if (meta['disabled'] === true) return
  const { target_path: target, method } = meta
  const url = typeof target === 'string' ? parseTargetUrl(target) : undefined
  if (url === undefined || url.origin === '' || !/^https?$/.test(url.scheme)) {
    report('web-hook-target', [...path, 'target_path'])
  }
  if (typeof method === 'string' && !hookMethods.has(method.toUpperCase())) {
    report('web-hook-method', [...path, 'method'], { known: [...hookMethods].join(', ') })
  }
}
