/** `eh_log_handler`: events as warnings in the log, keys by their hash. Source: docs/reference/events.md#event-list. */
import type { Log } from '../../ports/log.ts'
import type { GatewayEvent } from './event.ts'
import type { EventHandler } from './event-handler.ts'

export function makeLogHandler(prefix: string, log: Pick<Log, 'warn'>): EventHandler {
  return {
    handle: (event) => log.warn(`${prefix}:${event.name}${detailsOf(event)}`),
  } satisfies EventHandler
}

function detailsOf({ facts }: GatewayEvent): string {
  return facts.about === 'request' ? `:${facts.keyLogName}:${facts.origin}:${facts.path}` : ''
}
