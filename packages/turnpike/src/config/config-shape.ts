/**
 * The gateway configuration as one shape: every key with type and default. The files in `keys/` describe the keys;
 * `to-settings.ts` converts a configuration to the settings of the engine.
 */
import { type Of, object } from '@turnpike/core/lib'
import { ignoredKeys } from './keys/ignored-keys.ts'
import { securityKeys } from './keys/security-keys.ts'
import { serverKeys } from './keys/server-keys.ts'
import { sessionKeys } from './keys/session-keys.ts'
import { storageKeys } from './keys/storage-keys.ts'
import { telemetryKeys } from './keys/telemetry-keys.ts'
import { trafficKeys } from './keys/traffic-keys.ts'
import { turnpikeKeys } from './keys/turnpike-keys.ts'

/** The configuration of one gateway. Source: docs/reference/configuration.md#configuration-keys. */
export const configShape = object({
  ...serverKeys,
  ...securityKeys,
  ...storageKeys,
  ...sessionKeys,
  ...trafficKeys,
  ...turnpikeKeys,
  ...telemetryKeys,
  ...ignoredKeys,
})

/** A parsed configuration: every key is present, with its default if the file omits it. */
export type GatewayConfig = Of<typeof configShape>
