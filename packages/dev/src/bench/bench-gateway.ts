/**
 * The gateway under measurement. It uses a copy of the user's definitions and policies, so that reloads can be
 * measured. Keys are kept in memory, the upstream responds at once, and no analytics records are written.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSidecarName } from '@turnpike/core/definition'
import type { Engine } from '@turnpike/core/engine'
import { silentLog } from '@turnpike/core/ports'
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
  /** Number of definition files in the copy. */
  readonly files: readonly string[]
  /** Changes a definition file of the copy so that it is reloaded with the same meaning. */
  touch(file: string): void
  close(): Promise<void>
}

/**
 * Prepares the gateway without loading it. Rejects if the configuration is invalid or the folder cannot be copied.
 * `onSend` is called for each request to the upstream.
 */
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
      // Trailing whitespace changes the text of the file, but not its meaning.
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

/**
 * Disables everything that writes elsewhere or listens for clients, because it is not part of the cost of a request.
 */
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
