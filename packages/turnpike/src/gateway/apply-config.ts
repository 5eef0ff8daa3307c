/** Applies changed keys of the configuration to a running gateway. */
import type { Engine } from '@turnpike/core/engine'
import type { Json } from '@turnpike/core/lib'
import type { GatewaySettings } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import { withValues } from '../config/live-settings.ts'
import { toSettings } from '../config/to-settings.ts'

interface Running {
  /** Both objects are shared by all components, so they are changed in place. */
  readonly config: GatewayConfig
  readonly settings: GatewaySettings
  readonly engine: Pick<Engine, 'recompile'>
}

/** Takes the values of `keys` from a configuration with the names of the file, and compiles all APIs with them. */
export type ApplyConfig = (document: Json, keys: readonly string[]) => Promise<void>

export function makeApplyConfig({ config, settings, engine }: Running): ApplyConfig {
  return async (document, keys) => {
    Object.assign(config, withValues(config, document, keys))
    Object.assign(settings, toSettings(config))
    // The level of the log concerns no API.
    if (keys.some((key) => key !== 'log_level')) await engine.recompile()
  }
}
