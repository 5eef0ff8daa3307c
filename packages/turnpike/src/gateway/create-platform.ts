/** Creates the ports that do not depend on state, from the options or else the system adapters; and the settings. */
import { dirname } from 'node:path'
import { systemClock } from '@turnpike/adapters/clock-system'
import { randomIds } from '@turnpike/adapters/ids-random'
import { bcryptPasswords } from '@turnpike/adapters/passwords-bcrypt'
import type { ReadTemplate } from '@turnpike/core/definition'
import type { Clock, GatewaySettings, Ids, Log, Passwords, Upstream } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Environment } from '../config/environment.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { toSettings } from '../config/to-settings.ts'
import type { OpenOptions } from './gateway-options.ts'
import { makeLazyUpstream } from './lazy-upstream.ts'
import type { Lifecycle } from './lifecycle.ts'
import { makeReadTemplate } from './read-template.ts'
import { wireLog } from './wire-log.ts'

/** Returns the PEM text of a certificate or key, by id or file path. */
export type FindPem = (name: string) => Promise<string | undefined>

export interface Platform {
  readonly options: OpenOptions
  readonly config: GatewayConfig
  /** True if the configuration is a file. */
  readonly hasFile: boolean
  /** Folder of the configuration file; the working directory without one. */
  readonly folder: string
  readonly settings: GatewaySettings
  /** Environment variables that `env://NAME` refers to. */
  readonly environment: Environment
  readonly lifecycle: Lifecycle
  readonly log: Log
  readonly clock: Clock
  readonly ids: Ids
  readonly passwords: Passwords
  readonly upstream: Upstream
  /** Must resolve before definitions are compiled. */
  readonly upstreamReady: () => Promise<void>
  readonly readTemplate: ReadTemplate
}

export async function createPlatform(
  options: OpenOptions,
  { config, file }: LoadedConfig,
  findPem: FindPem,
  lifecycle: Lifecycle,
): Promise<Platform> {
  const log = await wireLog(options.log)
  const lazyUpstream = makeLazyUpstream({ clock: systemClock, findPem, client: config.upstreamClient })
  const upstream = options.upstream ?? lazyUpstream
  lifecycle.onClose(() => upstream.close())
  const folder = file === undefined ? process.cwd() : dirname(file)
  return {
    ...{ options, config, folder, lifecycle, log, upstream },
    hasFile: file !== undefined,
    settings: toSettings(config),
    environment: options.environment ?? {},
    clock: options.clock ?? systemClock,
    ids: options.ids ?? randomIds,
    passwords: options.passwords ?? bcryptPasswords,
    upstreamReady: options.upstream === undefined ? lazyUpstream.ready : async () => undefined,
    readTemplate: makeReadTemplate(folder, config),
  }
}
