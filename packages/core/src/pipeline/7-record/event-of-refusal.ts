/** Which refusals are events, and what they are told as. Source: spec/config-and-ops.md 3. */

import type { Rejection } from '../../errors.ts'
import type { RequestEventName } from '../../events/event.ts'
import type { Phase } from '../stage.ts'

export interface RefusalEvent {
  readonly name: RequestEventName
  readonly message: string
}

const versionFailure: RefusalEvent = {
  name: 'VersionFailure',
  message: 'Attempted access to disallowed version / path.',
}
const authFailure: RefusalEvent = { name: 'AuthFailure', message: 'Auth Failure' }

const byCode: Readonly<Record<string, RefusalEvent>> = {
  'version-missing': versionFailure,
  'version-unknown': versionFailure,
  'version-expired': versionFailure,
  'version-no-default': versionFailure,
  'api-expired': versionFailure,
  'path-forbidden': versionFailure,
  'org-rate': { name: 'OrgRateLimitExceeded', message: 'Organisation rate limit has been exceeded' },
  'org-quota': { name: 'OrgQuotaExceeded', message: 'Organisation quota has been exceeded' },
  'key-inactive': { name: 'KeyExpired', message: 'Attempted access from inactive key.' },
  'key-expired': { name: 'KeyExpired', message: 'Attempted access from expired key.' },
  'rate-exceeded': { name: 'RatelimitExceeded', message: 'Rate Limit Exceeded' },
  'api-rate-exceeded': { name: 'RatelimitExceeded', message: 'API Rate Limit Exceeded' },
  'quota-exceeded': { name: 'QuotaExceeded', message: 'Key Quota Limit Exceeded' },
}

/**
 * The event of a refusal; `undefined`: it is none. What the modes of phase 2 refuse is a failure to prove oneself,
 * whatever they call it, but for credentials that are missing or no credentials at all.
 */
export function eventOfRefusal({ code, source }: Rejection, phase: Phase | undefined): RefusalEvent | undefined {
  const named = byCode[code]
  if (named !== undefined) return named
  if (phase !== '2-identify' || source !== 'downstream') return undefined
  return code.endsWith('-missing') || code.endsWith('-malformed') || code.startsWith('body-') ? undefined : authFailure
}
