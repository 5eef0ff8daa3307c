/** What hears events: made from what definitions and configurations list, one per entry. */
import type { GatewayEvent } from './event.ts'

export interface EventHandler {
  /** Takes an event and returns at once; never throws. */
  handle(event: GatewayEvent): void
}
