/** `server.eventHandlers`. Source: docs/reference/openapi-extension.md#server-fields. */
import { parseDuration } from '../../../lib/duration.ts'
import { isOn, type Json, listOf, memberOf, textOf } from '../../../lib/json.ts'

/** The enabled handlers by event. A handler of an unknown type keeps its type as its name, so that it is reported. */
export function eventHandlersOf(handlers: unknown): Json {
  const events: Record<string, object[]> = Object.create(null)
  for (const handler of listOf(handlers)) {
    if (!isOn(handler)) continue
    const trigger = textOf(memberOf(handler, 'trigger'))
    events[trigger] ??= []
    events[trigger].push(toClassicHandler(handler))
  }
  return events
}

function toClassicHandler(handler: unknown): Json {
  const type = textOf(memberOf(handler, 'type'))
  switch (type) {
    case 'webhook':
      return { handler_name: 'eh_web_hook_handler', handler_meta: webHookOf(handler) }
    case 'custom':
      return {
        handler_name: 'eh_dynamic_handler',
        handler_meta: { name: memberOf(handler, 'functionName'), path: memberOf(handler, 'path') },
      }
    case 'log':
      return { handler_name: 'eh_log_handler', handler_meta: { prefix: memberOf(handler, 'logPrefix') } }
    default:
      return { handler_name: type, handler_meta: {} }
  }
}

function webHookOf(handler: unknown): Json {
  const quiet = parseDuration(memberOf(handler, 'coolDownPeriod'))
  return {
    method: memberOf(handler, 'method'),
    target_path: memberOf(handler, 'url'),
    template_path: memberOf(handler, 'bodyTemplate'),
    header_map: Object.fromEntries(
      listOf(memberOf(handler, 'headers')).map((header) => [
        textOf(memberOf(header, 'name')),
        textOf(memberOf(header, 'value')),
      ]),
    ),
    ...(quiet === undefined ? {} : { event_timeout: Math.ceil(quiet) }),
  }
}
