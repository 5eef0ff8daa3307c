/** What stages may use: the ports, the settings of the gateway, and the few services made of them. */
import type { ErrorAnswers } from '../error-answer/error-answers.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Keyring } from '../session/keyring.ts'
import type { OrgRegistry } from '../session/org-registry.ts'
import type { GatewaySettings } from '../settings.ts'
import type { RecordSink } from './7-record/record.ts'

export interface Tools {
  readonly clock: Clock
  readonly store: Store
  readonly upstream: Upstream
  readonly log: Log
  readonly settings: GatewaySettings
  readonly keyring: Keyring
  readonly orgs: OrgRegistry
  readonly errors: ErrorAnswers
  /** Who wants to hear of every request; none: phase 7 is empty. */
  readonly records: readonly RecordSink[]
}
