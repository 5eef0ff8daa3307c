/** A handler of events, one per entry in a definition or in the configuration. */
import type { GatewayEvent } from './event.ts'

export interface EventHandler {
  /** Queues an event and returns at once; never throws. */
  handle(event: GatewayEvent): void
}
