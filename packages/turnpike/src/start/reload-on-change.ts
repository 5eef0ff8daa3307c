/**
 * Reloads when something changes that `turnpike start` serves: definitions and policies, whose changes
 * `folder-watch.ts` of package adapters detects, the certificate files of the gateway's TLS, and the configuration file
 * (`watch-config.ts`).
 */

import { basename, dirname } from 'node:path'
import { systemClock } from '@turnpike/adapters/clock-system'
import { watchFolder } from '@turnpike/adapters/definition-files'
import type { PinoLog } from '@turnpike/adapters/log-pino'
import { isCertificateId } from '@turnpike/core/auth'
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
  const reload = () => {
    opened.gateway.reload().catch((cause: unknown) => log.error('the reload failed', { cause: String(cause) }))
  }
  const stopSource = opened.source.watch(reload)
  const stopCertificates = await watchFiles(certificateFilesOf(loaded.config), reload)
  const { file } = loaded
  if (file === undefined) {
    return () => {
      stopSource()
      stopCertificates()
    }
  }
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
    stopCertificates()
    stopConfig()
  }
}

/** The files with certificates and keys of the gateway's TLS. */
function certificateFilesOf({ httpServerOptions }: LoadedConfig['config']): string[] {
  const { certificates, sslCertificates } = httpServerOptions
  const files = (certificates ?? []).flatMap(({ certFile, keyFile }) => [certFile, keyFile])
  return [...files, ...(sslCertificates ?? []).filter((name) => !isCertificateId(name))]
}

/** Watches single files. Returns a function that stops watching. */
async function watchFiles(files: readonly string[], onChange: () => void): Promise<() => void> {
  if (files.length === 0) return () => {}
  const stops = [...new Set(files.map(dirname))].map((path) => {
    const names = new Set(files.filter((file) => dirname(file) === path).map((file) => basename(file)))
    return watchFolder({ path, isDocument: (name) => names.has(name) }, systemClock, onChange)
  })
  return () => {
    for (const stop of stops) stop()
  }
}
