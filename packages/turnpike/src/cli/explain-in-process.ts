/** `turnpike explain` without a running gateway: creates one from the configuration for the command. */
import { existsSync } from 'node:fs'
import { toWireExplanation } from '@turnpike/mgmt-api'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { explain } from '../gateway/explain.ts'
import { openGateway } from '../gateway/open-gateway.ts'
import { startEcho } from '../start/echo.ts'
import { readSeed, seedKeys } from '../start/seed.ts'
import type { Io } from '../terminal/io.ts'
import type { RequestToExplain } from './explain-request.ts'
import { type ExplainedRequests, repeatUntilRejected } from './repeat-until-rejected.ts'

/**
 * Repeats the request until it is rejected, `limit` times at most. Rejects if the gateway cannot be created. Creates no
 * data folder: before the first start, keys are in memory.
 */
export async function explainInProcess(
  toExplain: RequestToExplain,
  loaded: LoadedConfig,
  io: Io,
  limit: number,
): Promise<ExplainedRequests> {
  const { config } = loaded
  const neverStarted = config.storage.type === 'lmdb' && !existsSync(config.dataPath)
  // With a port of its own, another process may have the echo upstream.
  const echo = config.echo.enabled && config.echo.listenPort === 0 ? await startEcho(0) : undefined
  if (echo !== undefined) config.echo.listenPort = echo.port
  try {
    return await explainWith(toExplain, loaded, { io, limit, neverStarted })
  } catch (cause) {
    // The gateway of this folder runs on another port than the configuration says.
    const isInUse = cause instanceof Error && 'isInUse' in cause && cause.isInUse === true
    if (!isInUse) throw cause
    const fix = 'if it is a gateway, name its address: --url http://127.0.0.1:PORT'
    throw new Error(`${cause.message}; ${fix}`, { cause })
  } finally {
    await echo?.close()
  }
}

interface InProcess {
  readonly io: Io
  readonly limit: number
  readonly neverStarted: boolean
}

async function explainWith(
  toExplain: RequestToExplain,
  loaded: LoadedConfig,
  { io, limit, neverStarted }: InProcess,
): Promise<ExplainedRequests> {
  const { config } = loaded
  const store = neverStarted ? ({ store: 'memory' } as const) : {}
  const { gateway, engine } = await openGateway({ environment: io.environment, ...store }, loaded)
  try {
    await gateway.reload()
    if (neverStarted) await createKeys(config, gateway)
    const request = {
      method: toExplain.method,
      target: toExplain.path,
      headers: Object.entries(toExplain.headers).flatMap(([name, value]) => [name.toLowerCase(), value]),
      body: toExplain.body === undefined ? undefined : new TextEncoder().encode(toExplain.body),
      dry: toExplain.dry,
      ...(toExplain.port === undefined ? {} : { port: toExplain.port }),
    }
    const send = async () => toWireExplanation(await explain(engine, request, config.listenPort))
    return await repeatUntilRejected(await send(), send, limit)
  } finally {
    await gateway.close(0)
  }
}

/** Creates the keys that the first start would create. An invalid seed file is an error there. */
async function createKeys({ seed, strict }: GatewayConfig, gateway: Parameters<typeof seedKeys>[1]): Promise<void> {
  const read = seed === '' ? undefined : readSeed(seed)
  if (read === undefined) return
  if ('problem' in read) throw new Error(read.problem)
  await seedKeys(read.seed, gateway, { strict })
}
