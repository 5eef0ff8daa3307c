/** Dependencies, parameters and results of the key registry. The caller maps results to HTTP texts and statuses. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { HashFunction } from '../../lib/hash/hash-key-name.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Passwords } from '../../ports/passwords.ts'
import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Store } from '../../ports/store.ts'
import type { OrgSessionCache } from '../org-session-cache.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import type { SessionCache } from '../session-cache.ts'
import type { KeyLock } from './key-lock.ts'

export interface KeyRegistryDependencies {
  readonly store: Pick<Store, 'sessions' | 'organisations' | 'counters'>
  readonly signals: Pick<Signals, 'publish'>
  readonly clock: Pick<Clock, 'now' | 'breathe'>
  readonly ids: Ids
  readonly log: Log
  readonly settings: GatewaySettings
  readonly passwords: Passwords
  /** Hash of the passwords of basic users. Default: `bcrypt`. */
  readonly basicAuthHash?: 'bcrypt' | HashFunction
  /** Returns the policies in force. */
  policies(): PolicyBook
  /** Returns the loaded definitions. The array is the same object as long as the definitions do not change. */
  apis(): readonly ApiDefinition[]
  /** The lock of the engine, shared with everything else that writes sessions. */
  readonly keyLock: KeyLock
  /** The session cache of this node. `forget` is called for each change before the change is confirmed. */
  readonly sessionCache: Pick<SessionCache, 'forget'>
  readonly orgs: Pick<OrgSessionCache, 'forget'>
  /** Returns whether a certificate is stored. Default: false for all. */
  hasCertificate?(id: string): Maybe<boolean>
  /** Receives an event for each key that was created, changed or removed. */
  announce?(event: KeyEvent): void
}

/** Source: docs/reference/events.md#event-list. */
export interface KeyEvent {
  readonly name: 'TokenCreated' | 'TokenUpdated' | 'TokenDeleted'
  readonly message: 'Key generated.' | 'Key modified.' | 'Key deleted.'
  readonly orgId: string
  readonly keyName: string
}

/** Identifies a key. */
export interface KeyAddress {
  /** Full name, or short name if `orgId` is given. Secret: never logged. */
  readonly name: string
  /** Organisation of a short name. Default: unknown. */
  readonly orgId?: string
  /** `name` is the stored name. Default: false. */
  readonly stored?: boolean
  /** `name` is an id and is expanded to a full name, unless `disable_key_actions_by_username` is set. Default: false. */
  readonly username?: boolean
}

/** A stored key. */
export interface LocatedKey {
  /** Full name, or the stored name if the key was addressed by it. Secret. */
  readonly keyName: string
  readonly storedName: string
  /** As stored. */
  readonly session: Session
}

/** The key that a call wrote. */
export interface WrittenKey {
  readonly kind: 'written'
  readonly keyName: string
  readonly storedName: string
  readonly session: Session
}

/** Why a key was not written. */
export type KeyRejection =
  /** The session has no access rights, and master keys are not allowed. */
  | { readonly kind: 'no-rights' }
  /** Its policies cannot be applied. */
  | { readonly kind: 'policies'; readonly reason: string }
  | { readonly kind: 'unknown-key' }
  /** A certificate of the session is invalid; the message names it and the reason. */
  | { readonly kind: 'certificate'; readonly message: string }
  /** A key with this certificate already exists. */
  | { readonly kind: 'certificate-taken'; readonly keyName: string }
  /** A field of the session is invalid: rights that do not apply to their API, a pattern, a password. */
  | { readonly kind: 'invalid-session'; readonly message: string }
