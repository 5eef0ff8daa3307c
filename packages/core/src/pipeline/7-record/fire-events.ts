/** Fires events for rejections and smoothed rates, if the API has a handler for them (docs/reference/events.md#event-list). */

import { requestEventNames } from '../../definition/event-names.ts'
import { hashKeyName } from '../../lib/hash/key-hash.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { requestWireForm } from '../../observability/analytics/wire-form.ts'
import type { RequestEventName } from '../../observability/events/event.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeRecordStage } from '../contract/stage.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { eventOfRejection, type RequestEvent } from './event-of-rejection.ts'

const smoothingEvents: Readonly<Record<'up' | 'down', RequestEvent>> = {
  up: { name: 'RateLimitSmoothingUp', message: 'Rate limit increased with smoothing' },
  down: { name: 'RateLimitSmoothingDown', message: 'Rate limit decreased with smoothing' },
}

export const makeFireEvents: MakeRecordStage = ({ api, services }) => {
  const { events, clock, settings } = services
  if (events === undefined) return null
  const heard = new Set<RequestEventName>(requestEventNames.filter((name) => events.hasHandler(name, api)))
  if (heard.size === 0) return null
  const { routing } = settings

  const fire = (event: RequestEvent, context: RequestContext, reason: string): void => {
    if (!heard.has(event.name)) return
    const { request } = context
    events.fire({
      name: event.name,
      api,
      at: clock.now(),
      facts: {
        about: 'request',
        message: event.message,
        path: decodePercent(request.path),
        origin: clientAddressOf(context, routing),
        ...keyOf(event.name, context),
        reason,
        originatingRequest: () => encodeBase64(requestWireForm(request, context.outgoing.body)),
      },
    })
  }

  return {
    name: 'fire-events',
    phase: '7-record',
    run(context) {
      const { rejection, rate, trace } = context
      if (trace !== undefined) return
      if (rate?.allowanceMoved !== undefined) fire(smoothingEvents[rate.allowanceMoved], context, '')
      if (rejection === undefined) return
      const event = eventOfRejection(rejection, context.rejectedIn)
      if (event !== undefined) fire(event, context, event.name === 'VersionFailure' ? rejection.message : '')
    },
  }
}

/** The key of the event: the organisation for its limits, none for versions, otherwise the key of the request. */
function keyOf(name: RequestEventName, { api, key, credential }: RequestContext) {
  if (name === 'VersionFailure') return { key: '', keyLogName: '' }
  if (name === 'OrgQuotaExceeded' || name === 'OrgRateLimitExceeded') return { key: api.orgId, keyLogName: api.orgId }
  const sent = credential ?? key?.keyName ?? ''
  return { key: sent, keyLogName: key?.logName ?? (sent === '' ? '' : hashKeyName(sent)) }
}
