/**
 * Events for users, which trigger web hooks and log lines. Signals (ports/signals.ts) are messages between nodes.
 * Source: docs/reference/events.md#event-list.
 *
 * Each kind of event (`about`) has its own members. `event-fields.ts` defines their names in templates, `default-body.ts`
 * the body without a template.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type {
  breakerEventNames,
  certificateEventNames,
  hostEventNames,
  keyEventNames,
  requestEventNames,
  triggerEventNames,
} from '../../definition/event-names.ts'
import type { Millis } from '../../ports/clock.ts'

export type RequestEventName = (typeof requestEventNames)[number]
export type BreakerEventName = (typeof breakerEventNames)[number]
export type HostEventName = (typeof hostEventNames)[number]
export type KeyEventName = (typeof keyEventNames)[number]
export type CertificateEventName = (typeof certificateEventNames)[number]

/** A request was rejected, or changed the allowance of its smoothed rate. */
export interface RequestFacts {
  readonly about: 'request'
  readonly message: string
  /** Path of the whole request, decoded. */
  readonly path: string
  /** The client's address. */
  readonly origin: string
  /** The credential as sent, the organisation for its limits, or empty. Secret: never logged. */
  readonly key: string
  /** Hash of the key, for logs. */
  readonly keyLogName: string
  /** For `VersionFailure`: the error message to the client. */
  readonly reason: string
  /** The received request in wire form and base64. Set only for templates that use it. */
  readonly originatingRequest: () => string
}

/** A quota reached one of its monitored thresholds. */
export interface TriggerFacts {
  readonly about: 'trigger'
  readonly message: string
  readonly orgId: string
  /** Secret: never logged. */
  readonly key: string
  readonly keyLogName: string
  /** Percent. */
  readonly triggerLimit: number
  readonly usagePercentage: number
}

/** A circuit breaker opened or closed. */
export interface BreakerFacts {
  readonly about: 'breaker'
  readonly message: string
  readonly path: string
  readonly apiId: string
  readonly change: 'tripped' | 'reset'
}

/** An uptime test failed or succeeded. */
export interface HostFacts {
  readonly about: 'host'
  readonly message: string
  readonly url: string
  readonly responseCode: number
  readonly tcpError: boolean
  readonly host: string
  readonly apiId: string
}

/** A key was created, changed or removed. */
export interface KeyFacts {
  readonly about: 'key'
  readonly message: string
  readonly orgId: string
  /** Full name. Secret: never logged. */
  readonly key: string
  readonly keyLogName: string
}

/** A certificate expires soon or has expired. */
export interface CertificateFacts {
  readonly about: 'certificate'
  readonly message: string
  readonly certificateId: string
  readonly certificateName: string
  readonly expiresAt: Millis
  /** Time until the expiry, or since it. */
  readonly days: number
  readonly role: string
  /** Empty if it belongs to no API. */
  readonly apiId: string
}

interface EventOf<N extends string, F> {
  readonly name: N
  /** The API whose handlers receive the event; `undefined`: the handlers of the configuration. */
  readonly api: ApiDefinition | undefined
  readonly at: Millis
  readonly facts: F
}

export type GatewayEvent =
  | EventOf<RequestEventName, RequestFacts>
  | EventOf<(typeof triggerEventNames)[number], TriggerFacts>
  | EventOf<BreakerEventName, BreakerFacts>
  | EventOf<HostEventName, HostFacts>
  | EventOf<KeyEventName, KeyFacts>
  | EventOf<CertificateEventName, CertificateFacts>
