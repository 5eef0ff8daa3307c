/**
 * An event as templates see it: `{{.Type}}`, `{{.TimeStamp}}` and the fields of `{{.Meta}}`, by the names that
 * existing templates use. Source: docs/reference/events.md#event-list.
 */
import { formatRfc3339 } from '../../lib/text/time.ts'
import type { GatewayEvent } from './event.ts'

type Field = string | number | bigint | boolean
type Fields = Readonly<Record<string, Field | Readonly<Record<string, Field>>>>

export interface EventFields {
  readonly Type: string
  /** RFC 3339, UTC. */
  readonly TimeStamp: string
  readonly Meta: Fields
}

/** `withRequest`: include the wire form of the request, which costs time in proportion to its length. Otherwise it is empty. */
export function eventFields(event: GatewayEvent, withRequest: boolean): EventFields {
  return { Type: event.name, TimeStamp: formatRfc3339(event.at), Meta: metaOf(event, withRequest) }
}

function metaOf({ facts }: GatewayEvent, withRequest: boolean): Fields {
  switch (facts.about) {
    case 'request':
      return {
        Message: facts.message,
        Path: facts.path,
        Origin: facts.origin,
        Key: facts.key,
        Reason: facts.reason,
        OriginatingRequest: withRequest ? facts.originatingRequest() : '',
      }
    case 'trigger':
      return {
        Message: facts.message,
        OrgID: facts.orgId,
        Key: facts.key,
        TriggerLimit: whole(facts.triggerLimit),
        UsagePercentage: whole(facts.usagePercentage),
      }
    case 'breaker':
      return {
        Message: facts.message,
        Path: facts.path,
        APIID: facts.apiId,
        CircuitEvent: facts.change === 'tripped' ? 0n : 1n,
      }
    case 'host':
      return {
        Message: facts.message,
        HostInfo: {
          CheckURL: facts.url,
          ResponseCode: whole(facts.responseCode),
          TCPError: facts.tcpError,
          Host: facts.host,
          APIID: facts.apiId,
        },
      }
    case 'key':
      return { Message: facts.message, Org: facts.orgId, Key: facts.key }
    case 'certificate':
      return {
        Message: facts.message,
        CertID: facts.certificateId,
        CertName: facts.certificateName,
        ExpiresAt: formatRfc3339(facts.expiresAt),
        ExpiredAt: formatRfc3339(facts.expiresAt),
        DaysRemaining: whole(facts.days),
        DaysSinceExpiry: whole(facts.days),
        CertRole: facts.role,
        APIID: facts.apiId,
      }
  }
}

/** Integers in templates are bigints. */
const whole = (value: number): bigint => BigInt(Math.trunc(value))
