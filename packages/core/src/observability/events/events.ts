/** The one port through which the engine tells that something happened. Made by `make-events.ts`. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { EventName } from '../../definition/event-names.ts'
import type { BreakerEventName, GatewayEvent } from './event.ts'
import type { QuotaMonitor } from './quota-monitor.ts'

export interface Events {
  /**
   * Whether anybody hears of it. To be asked when an API is compiled, so that nobody collects what nobody wants.
   * `api` undefined: of the gateway itself.
   */
  hasHandler(name: EventName, api: ApiDefinition | undefined): boolean
  /** Hands an event over and returns at once; never throws. Events nobody hears of are fine. */
  fire(event: GatewayEvent): void
  /** Watches shares of quotas; `undefined` where it is switched off. */
  readonly monitor: QuotaMonitor | undefined
}

/** Tells what a circuit breaker did, under both names that handlers may wait for. */
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
