/** Fires events for rejections, if the API has a handler for them (docs/reference/events.md#event-list). */

import type { Rejection } from '../../http/rejections.ts'
import type { Phase } from '../contract/phase.ts'
import type { MakeRecordStage } from '../contract/stage.ts'
import { makeFireRequestEvent, type RequestEvent } from '../shared/request-events.ts'

export const makeFireEvents: MakeRecordStage = (compileContext) => {
  const fire = makeFireRequestEvent(compileContext)
  if (fire === undefined) return null
  return {
    run(context) {
      const { rejection } = context
      if (rejection === undefined) return
      const event = eventOfRejection(rejection, context.rejectedIn)
      if (event !== undefined) fire(event, context, event.name === 'VersionFailure' ? rejection.message : '')
    },
  }
}

const versionFailure: RequestEvent = {
  name: 'VersionFailure',
  message: 'Attempted access to disallowed version / path.',
}
const authFailure: RequestEvent = { name: 'AuthFailure', message: 'Auth Failure' }

/** Which rejections fire events, with which message, by their code. */
const byCode: Readonly<Record<string, RequestEvent>> = {
  'version-missing': versionFailure,
  'version-unknown': versionFailure,
  'version-expired': versionFailure,
  'version-no-default': versionFailure,
  'version-ambiguous': versionFailure,
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

/** Rejections of phase 2 because of a missing or malformed credential. They are not authentication failures. */
const noCredential: ReadonlySet<string> = new Set([
  'auth-missing',
  'basic-malformed',
  'basic-body',
  'jwt-missing',
  'oauth-missing',
  'oauth-malformed',
  'external-missing',
  'certificate-missing',
])

/**
 * Returns the event of a rejection; `undefined` if it fires none. All other rejections of phase 2 whose
 * source is `downstream` are authentication failures.
 */
function eventOfRejection({ code, source }: Rejection, phase: Phase | undefined): RequestEvent | undefined {
  const named = byCode[code]
  if (named !== undefined) return named
  return phase === '2-identify' && source === 'downstream' && !noCredential.has(code) ? authFailure : undefined
}
