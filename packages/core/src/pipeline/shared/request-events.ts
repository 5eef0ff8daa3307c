/** Fires events about requests, if the API has a handler for them (docs/reference/events.md#event-list). */
import { requestEventNames } from '../../definition/event-names.ts'
import { hashKeyName } from '../../lib/hash/hash-key-name.ts'
import { encodeBase64 } from '../../lib/text/base64.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import { requestWireForm } from '../../observability/analytics/http1-text.ts'
import type { RequestEventName } from '../../observability/events/event.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'
import { isExplained } from '../contract/stage-trace.ts'
import { clientAddressOf } from './client-address.ts'
import { makeCredentialMask } from './mask-credentials.ts'

export interface RequestEvent {
  readonly name: RequestEventName
  readonly message: string
}

export type FireRequestEvent = (event: RequestEvent, context: RequestContext, reason: string) => void

/** Returns `undefined` if the API has no handler for any of these events. Explained requests fire none. */
export function makeFireRequestEvent(compileContext: CompileContext): FireRequestEvent | undefined {
  const { api, services } = compileContext
  const { events, clock, settings } = services
  if (events === undefined) return undefined
  const handled = new Set<RequestEventName>(requestEventNames.filter((name) => events.hasHandler(name, api)))
  if (handled.size === 0) return undefined
  const { routing } = settings
  const mask = makeCredentialMask(compileContext)

  return (event, context, reason) => {
    if (isExplained(context.trace) || !handled.has(event.name)) return
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
        originatingRequest: () => {
          const { message, body } = mask.request(request, context.outgoing.body)
          return encodeBase64(requestWireForm(message, body))
        },
      },
    })
  }
}

/** The key of the event: the organisation for its limits, none for versions, otherwise the key of the request. */
function keyOf(name: RequestEventName, { api, key, credential }: RequestContext) {
  if (name === 'VersionFailure') return { key: '', keyLogName: '' }
  if (name === 'OrgQuotaExceeded' || name === 'OrgRateLimitExceeded') return { key: api.orgId, keyLogName: api.orgId }
  // Quotas are counted for a key under its full name, however the client sent it.
  const sent = (name === 'QuotaExceeded' ? key?.keyName : credential) ?? key?.keyName ?? credential ?? ''
  return { key: sent, keyLogName: key?.logName ?? (sent === '' ? '' : hashKeyName(sent)) }
}
