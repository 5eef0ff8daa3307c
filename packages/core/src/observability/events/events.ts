/** The port through which the engine fires events. `dispatch-events.ts` implements it. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { EventName } from '../../definition/event-names.ts'
import type { BreakerEventName, GatewayEvent } from './event.ts'
import type { QuotaMonitor } from './quota-monitor.ts'

export interface Events {
  /**
   * Returns whether an event has a handler. Call it when an API is compiled, so that unused events cost nothing.
   * `api` undefined: events of the gateway itself.
   */
  hasHandler(name: EventName, api: ApiDefinition | undefined): boolean
  /** Queues an event for its handlers and returns at once; never throws. Events without handlers are ignored. */
  fire(event: GatewayEvent): void
  /** Quota monitor settings; `undefined` if it is disabled. */
  readonly monitor: QuotaMonitor | undefined
}

/** Fires the events of a circuit breaker change, under both names that handlers may use. */
export function fireBreaker(
  events: Events,
  change: 'tripped' | 'reset',
  { api, path, at }: { readonly api: ApiDefinition; readonly path: string; readonly at: number },
): void {
  const facts = {
    about: 'breaker',
    message: change === 'tripped' ? 'Breaker Tripped' : 'Breaker Reset',
    path,
    apiId: api.id,
    change,
  } as const
  const names: BreakerEventName[] = ['BreakerTriggered', change === 'tripped' ? 'BreakerTripped' : 'BreakerReset']
  for (const name of names) events.fire({ name, api, at, facts })
}
