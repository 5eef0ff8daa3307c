/**
 * The user's gateway as it is measured: its own definitions and policies, on a copy of the folder, so that reloads can
 * be played; keys in memory, an upstream that answers at once, and no records written anywhere.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, isSidecarName, silentLog } from '@turnpike/core'
import type { OAuth } from '@turnpike/mgmt-api'
import { type Environment, type Gateway, type LoadedConfig, openGateway } from 'turnpike/embedding'
import { type BenchClock, makeBenchClock } from './bench-clock.ts'
import { type BenchUpstream, makeBenchUpstream } from './bench-upstream.ts'

export interface BenchGateway {
  readonly engine: Engine
  readonly oauth: OAuth
  readonly gateway: Gateway
  readonly clock: BenchClock
  readonly upstream: BenchUpstream
  /** Files of definitions in the copy. */
  readonly files: readonly string[]
  /** Changes a file of the copy so that it is loaded anew and means the same. */
  touch(file: string): void
  close(): Promise<void>
}

/** Rejects when the configuration cannot be used or the folder cannot be copied. Nothing is loaded yet.
 * `onSend` hears of each call to the upstream. */
export async function makeBenchGateway(
  loaded: LoadedConfig,
  environment: Environment,
  onSend?: () => void,
): Promise<BenchGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'))
  const drop = () => rmSync(folder, { recursive: true, force: true })
  try {
    cpSync(loaded.config.appPath, folder, { recursive: true })
    const clock = makeBenchClock()
    const upstream = makeBenchUpstream(onSend)
    const { gateway, engine, oauth } = await openGateway(
      { store: 'memory', log: silentLog, clock, upstream, definitions: folder, environment },
      { ...loaded, config: quietConfig(loaded.config) },
    )
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !isSidecarName(name) && !name.startsWith('.'))
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile())
    return {
      engine,
      oauth,
      gateway,
      clock,
      upstream,
      files,
      // Blanks at the end are no change of meaning, but one of the text.
      touch: (file) => writeFileSync(file, `${readFileSync(file, 'utf8')} `),
      async close() {
        await gateway.close(0)
        drop()
      },
    }
  } catch (cause) {
    drop()
    throw cause
  }
}

/** What writes elsewhere, or serves people, is off: it is no part of a request's cost. */
function quietConfig(config: LoadedConfig['config']): LoadedConfig['config'] {
  return {
    ...config,
    dashboard: { ...config.dashboard, enabled: false },
    records: {
      ...config.records,
      file: { ...config.records.file, path: '' },
      mongodb: { ...config.records.mongodb, url: '' },
    },
  }
}
