/** Checks event handlers. The gateway silently skips an invalid handler when it loads an API. */

import { objectOf } from '../../lib/json.ts'
import { type JsonPath, nearestName } from '../../lib/shape/shape.ts'
import { eventNames, hookMethods } from '../event-names.ts'
import { parseTargetUrl } from '../target-url.ts'
import type { Lint, Report } from './finding.ts'

const handlerNames = ['eh_web_hook_handler', 'eh_log_handler', 'eh_dynamic_handler']

export const eventLint: Lint = (document, report) => lintEventHandlers(document.eventHandlers.events, report)

/** Checks the handlers of a definition or of a configuration. */
export function lintEventHandlers(events: Readonly<Record<string, readonly unknown[] | null>> | null, report: Report) {
  for (const [name, handlers] of Object.entries(events ?? {})) {
    const path = ['event_handlers', 'events', name]
    if (!(eventNames as readonly string[]).includes(name)) {
      report('warning', path, 'is not a known event, so its handlers never run', nearestName(name, eventNames))
    }
    for (const [i, handler] of (handlers ?? []).entries()) lintHandler(handler, [...path, i], report)
  }
}

function lintHandler(handler: unknown, path: JsonPath, report: Report): void {
  const { handler_name: name, handler_meta: meta } = objectOf(handler)
  if (typeof name !== 'string' || !handlerNames.includes(name)) {
    const known = typeof name === 'string' ? nearestName(name, handlerNames) : undefined
    report(
      'error',
      [...path, 'handler_name'],
      'is not a known handler; use eh_web_hook_handler, eh_log_handler or eh_dynamic_handler',
      known,
    )
    return
  }
  if (name === 'eh_web_hook_handler') lintHook(meta, [...path, 'handler_meta'], report)
  if (name !== 'eh_dynamic_handler') return
  const { name: script, path: file } = objectOf(meta)
  if (typeof script !== 'string' || typeof file !== 'string' || script === '' || file === '') {
    report('error', [...path, 'handler_meta'], 'must be {name, path}: the name and the file of a script')
  }
}

/** Checks the settings of a web hook. */
export function lintHook(given: unknown, path: JsonPath, report: Report): void {
  const meta = objectOf(given)
  if (meta['disabled'] === true) return
  const { target_path: target, method } = meta
  const url = typeof target === 'string' ? parseTargetUrl(target) : undefined
  if (url === undefined || url.origin === '' || !/^https?$/.test(url.scheme)) {
    report('error', [...path, 'target_path'], 'must be an absolute URL over http or https')
  }
  if (typeof method === 'string' && !hookMethods.has(method.toUpperCase())) {
    report('warning', [...path, 'method'], `is not one of ${[...hookMethods].join(', ')}; GET is used`)
  }
}
