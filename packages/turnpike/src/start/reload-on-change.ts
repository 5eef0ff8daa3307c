/**
 * Reloads when something changes that `turnpike start` serves: definitions and policies, whose changes
 * `folder-watch.ts` of package adapters detects, and the configuration file (`watch-config.ts`).
 */
import type { PinoLog } from '@turnpike/adapters/log-pino'
import type { Json } from '@turnpike/core/lib'
import type { LoadedConfig } from '../config/load-config.ts'
import type { OpenedGateway } from '../gateway/open-gateway.ts'
import type { Io } from '../terminal/io.ts'
import { logLevelOf } from './log-level.ts'
import type { Reporter } from './reporter.ts'
import type { StartOptions } from './start-options.ts'
import { watchConfig } from './watch-config.ts'

export interface WatchFacts {
  readonly options: StartOptions
  readonly io: Io
  readonly loaded: LoadedConfig
  /** Loads the configuration again. */
  readonly load: (file: string | undefined) => LoadedConfig
  /** The configuration as it was loaded, with the names of keys that the file uses. */
  readonly configDocument: Json
  readonly reporter: Reporter
  readonly log: PinoLog
}

/** Returns a function that stops watching. */
export async function reloadOnChange(facts: WatchFacts, opened: OpenedGateway): Promise<() => void> {
  const { options, io, loaded, load, configDocument, reporter, log } = facts
  const stopSource = opened.source.watch(() => {
    opened.gateway.reload().catch((cause: unknown) => log.error('the reload failed', { cause: String(cause) }))
  })
  const { file } = loaded
  if (file === undefined) return stopSource
  const { systemClock } = await import('@turnpike/adapters/clock-system')
  const stopConfig = await watchConfig(
    {
      file,
      running: configDocument,
      findings: loaded.findings,
      load: () => load(file),
      async apply(document, keys) {
        await opened.applyConfig(document, keys)
        log.level = logLevelOf(loaded.config, options, io)
      },
      report: reporter.configReloaded,
    },
    systemClock,
    log,
  )
  return () => {
    stopSource()
    stopConfig()
  }
}
