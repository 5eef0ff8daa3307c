/** Fires events for rejections, if the API has a handler for them (docs/reference/events.md#event-list). */

import { requestEventNames } from '../../definition/event-names.ts'
import { hashKeyName } from '../../lib/hash/key-hash.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { requestWireForm } from '../../observability/analytics/wire-form.ts'
import type { RequestEventName } from '../../observability/events/event.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeRecordStage } from '../contract/stage.ts'
import { clientAddressOf } from '../shared/client-address.ts'
import { eventOfRejection } from './event-of-rejection.ts'

export const makeFireEvents: MakeRecordStage = ({ api, services }) => {
  const { events, clock, settings } = services
  if (events === undefined) return null
  const heard = new Set<RequestEventName>(requestEventNames.filter((name) => events.hasHandler(name, api)))
  if (heard.size === 0) return null
  const { routing } = settings

  return {
    name: 'fire-events',
    phase: '7-record',
    run(context) {
      const { rejection, request } = context
      if (rejection === undefined || context.trace !== undefined) return
      const event = eventOfRejection(rejection, context.rejectedIn)
      if (event === undefined || !heard.has(event.name)) return
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
          reason: event.name === 'VersionFailure' ? rejection.message : '',
          originatingRequest: () => encodeBase64(requestWireForm(request, context.outgoing.body)),
        },
      })
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
