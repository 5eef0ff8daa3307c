/**
 * The gateway configuration as one shape: every key that may stand in the file, with type and default. What a key
 * means is said beside it, in `keys/`; what the engine gets of it is made in `to-settings.ts`.
 */
import { type Of, object } from '@turnpike/core'
import { ignoredKeys } from './keys/ignored-keys.ts'
import { ownKeys } from './keys/own-keys.ts'
import { serverKeys } from './keys/server-keys.ts'
import { sessionKeys } from './keys/session-keys.ts'
import { storageKeys } from './keys/storage-keys.ts'
import { trafficKeys } from './keys/traffic-keys.ts'

/** The configuration of one gateway. Source: spec/config-and-ops.md 2. */
export const configShape = object({
  ...serverKeys,
  ...storageKeys,
  ...sessionKeys,
  ...trafficKeys,
  ...ownKeys,
  ...ignoredKeys,
})

/** A configuration that was read: every key present, defaults put in. */
export type GatewayConfig = Of<typeof configShape>
