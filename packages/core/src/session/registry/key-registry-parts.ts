/** What the registry of keys works with, and what it says. No HTTP here: texts and statuses are the caller's matter. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { HashFunction } from '../../lib/hash/key-hash.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Passwords } from '../../ports/passwords.ts'
import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Store } from '../../ports/store.ts'
import type { OrgRegistry } from '../org-registry.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import type { SessionCache } from '../session-cache.ts'

export interface KeyRegistryParts {
  readonly store: Pick<Store, 'sessions' | 'organisations' | 'counters'>
  readonly signals: Pick<Signals, 'publish'>
  readonly clock: Pick<Clock, 'now' | 'breathe'>
  readonly ids: Ids
  readonly log: Log
  readonly settings: GatewaySettings
  readonly passwords: Passwords
  /** How passwords of basic users are kept. Default: `bcrypt`. */
  readonly basicAuthHash?: 'bcrypt' | HashFunction
  /** Policies of the moment. */
  policies(): PolicyBook
  /** Definitions loaded at the moment. The same list means the same definitions. */
  apis(): readonly ApiDefinition[]
  /** Told of every change on this node before the change is answered. */
  readonly sessionCache: Pick<SessionCache, 'forget'>
  readonly orgs: Pick<OrgRegistry, 'forget'>
  /** Whether a certificate is stored. Default: none is. */
  hasCertificate?(id: string): Maybe<boolean>
  /** Hears of keys made, changed and removed; for events. */
  announce?(event: KeyEvent): void
}

/** Source: docs/reference/events.md#event-list. */
export interface KeyEvent {
  readonly name: 'TokenCreated' | 'TokenUpdated' | 'TokenDeleted'
  readonly message: 'Key generated.' | 'Key modified.' | 'Key deleted.'
  readonly orgId: string
  readonly keyName: string
}

/** Which key is meant. */
export interface KeyAddress {
  /** Full name, or short name where the organisation is known. Secret: never logged. */
  readonly name: string
  /** Organisation for short names. Default: unknown. */
  readonly orgId?: string
  /** The name is the name it is stored under. Default: false. */
  readonly stored?: boolean
  /** The name is an id: it is made a full name first, whatever `disable_key_actions_by_username` says. Default: false. */
  readonly username?: boolean
}

/** A key that is there. */
export interface LocatedKey {
  /** Full name, or the stored name when the key was asked for by it. Secret. */
  readonly keyName: string
  readonly storedName: string
  /** As stored. */
  readonly session: Session
}

/** A key that was written. */
export interface WrittenKey {
  readonly kind: 'written'
  readonly keyName: string
  readonly storedName: string
  readonly session: Session
}

/** Why a key was not written. */
export type KeyRefusal =
  /** Nothing is opened, and master keys are not allowed. */
  | { readonly kind: 'no-rights' }
  /** Its policies cannot be applied. */
  | { readonly kind: 'policies'; readonly reason: string }
  | { readonly kind: 'unknown-key' }
  /** A certificate of the session is unfit; the message says which and why. */
  | { readonly kind: 'certificate'; readonly message: string }
  /** A key of this certificate is there already. */
  | { readonly kind: 'certificate-taken'; readonly keyName: string }
  /** Rights hold fields that do not fit the kind of their API. */
  | { readonly kind: 'misplaced-fields'; readonly message: string }
