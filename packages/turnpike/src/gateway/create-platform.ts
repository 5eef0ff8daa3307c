/** Creates the ports that do not depend on state: clock, ids, passwords, log, upstream client; and the settings. */
import { dirname } from 'node:path'
import type { GatewaySettings, Log, ReadTemplate } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Environment } from '../config/environment.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { toSettings } from '../config/to-settings.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { Lifecycle } from './lifecycle.ts'
import { makeReadTemplate } from './read-template.ts'
import { type Basics, type FindPem, wireBasics } from './wire-basics.ts'
import { wireLog } from './wire-log.ts'

export interface Platform extends Basics {
  readonly config: GatewayConfig
  readonly settings: GatewaySettings
  /** Environment variables that `env://NAME` refers to. */
  readonly environment: Environment
  readonly log: Log
  readonly readTemplate: ReadTemplate
  /** Folder of the configuration file; the working directory without one. */
  readonly folder: string
}

export async function createPlatform(
  options: GatewayOptions,
  { config, file }: LoadedConfig,
  findPem: FindPem,
  lifecycle: Lifecycle,
): Promise<Platform> {
  const log = await wireLog(options.log)
  const basics = wireBasics(options, findPem, config.upstreamClient)
  lifecycle.onClose(() => basics.upstream.close())
  const folder = file === undefined ? process.cwd() : dirname(file)
  return {
    ...basics,
    config,
    settings: toSettings(config),
    environment: options.environment ?? {},
    log,
    readTemplate: makeReadTemplate(folder, config),
    folder,
  }
}
