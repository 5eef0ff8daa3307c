/**
 * Names of the events to which handlers of definitions and configurations subscribe.
 * Source: docs/reference/events.md#event-list.
 */

/**
 * Events about a request: the API rejected it, or it changed the allowance of a smoothed rate. Existing definitions write
 * `RatelimitExceeded` with a small l.
 */
export const requestEventNames = [
  'AuthFailure',
  'QuotaExceeded',
  'RatelimitExceeded',
  'KeyExpired',
  'VersionFailure',
  'OrgQuotaExceeded',
  'OrgRateLimitExceeded',
  'RateLimitSmoothingUp',
  'RateLimitSmoothingDown',
] as const
export const triggerEventNames = ['TriggerExceeded'] as const
export const breakerEventNames = ['BreakerTriggered', 'BreakerTripped', 'BreakerReset'] as const
export const hostEventNames = ['HostDown', 'HostUp'] as const
export const keyEventNames = ['TokenCreated', 'TokenUpdated', 'TokenDeleted'] as const
export const certificateEventNames = ['CertificateExpiringSoon', 'CertificateExpired'] as const

export const eventNames = [
  ...requestEventNames,
  ...triggerEventNames,
  ...breakerEventNames,
  ...hostEventNames,
  ...keyEventNames,
  ...certificateEventNames,
] as const
export type EventName = (typeof eventNames)[number]

/** Methods of web hooks. Case does not count, and every other method becomes GET. */
export const hookMethods: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH'])
