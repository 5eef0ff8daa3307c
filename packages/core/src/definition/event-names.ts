/**
 * Names of the events that handlers of definitions and configurations subscribe to, by the kind of fact each reports.
 * Source: spec/config-and-ops.md 3.
 */

/** The API rejected a request. Existing definitions write `RatelimitExceeded` with a small l. */
export const requestEventNames = [
  'AuthFailure',
  'QuotaExceeded',
  'RatelimitExceeded',
  'KeyExpired',
  'VersionFailure',
  'OrgQuotaExceeded',
  'OrgRateLimitExceeded',
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

/** Methods of web hooks. A handler may write them in any case; every other method becomes GET. */
export const hookMethods: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH'])
