/** Every name that handlers may wait for. */
import { type EventName, requestEventNames } from '../observability/events/event.ts'

export const eventNames: readonly EventName[] = [
  ...requestEventNames,
  'TriggerExceeded',
  'BreakerTriggered',
  'BreakerTripped',
  'BreakerReset',
  'HostDown',
  'HostUp',
  'TokenCreated',
  'TokenUpdated',
  'TokenDeleted',
  'CertificateExpiringSoon',
  'CertificateExpired',
]
