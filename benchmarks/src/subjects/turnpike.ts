/** The built gateway as a process with a folder of its own for definitions, policies and data. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startRedisServer } from '@turnpike/testkit/redis-server'
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'
import type { TlsFiles } from './tls-files.ts'

export const benchSecret = 'benchmark-secret'
const processProbe = new URL('../measure/process-probe.js', import.meta.url).href
const repository = fileURLToPath(new URL('../../../', import.meta.url))

export interface TurnpikeOptions {
  readonly apis: readonly object[]
  readonly config?: object
  /** Options of Node, such as --cpu-prof. */
  readonly nodeFlags?: readonly string[]
  /** Loads `process-probe.ts` into the process, so that `ask` returns its reply. */
  readonly hasProbe?: boolean
  /** The start is complete when this path responds; default: /ready. */
  readonly probe?: string
  /** A built checkout of another commit; default: this one. */
  readonly checkout?: string | undefined
  /** Serves TLS. */
  readonly tls?: TlsFiles | undefined
}

export interface TurnpikeSubject extends Subject {
  readonly folder: string
  /** Calls the management API. Rejects if the status is not 200. */
  manage(method: string, path: string, body?: unknown): Promise<unknown>
}

/** Starts a gateway on a Redis server of its own, which stops with the gateway. `storage` is a section of the configuration. */
export async function startOverRedis(start: (storage: object) => Promise<TurnpikeSubject>): Promise<TurnpikeSubject> {
  const redis = await startRedisServer()
  try {
    const subject = await start({ type: 'redis', host: '127.0.0.1', port: redis.port })
    return { ...subject, stop: () => subject.stop().finally(redis.close) }
  } catch (cause) {
    await redis.close()
    throw cause
  }
}

export async function startTurnpike(options: TurnpikeOptions): Promise<TurnpikeSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'))
  const port = await freePort()
  mkdirSync(join(folder, 'apps'))
  for (const api of options.apis) {
    const { api_id: id } = api as { api_id: string }
    writeFileSync(join(folder, 'apps', `${id}.json`), JSON.stringify(api))
  }
  const conf = join(folder, 'gateway.json')
  const config = {
    listen_address: '127.0.0.1',
    listen_port: port,
    secret: benchSecret,
    app_path: 'apps',
    log_level: 'error',
  }
  const { tls } = options
  const certificates = tls && [{ cert_file: tls.cert, key_file: tls.key }]
  const server = tls && { http_server_options: { use_ssl: true, enable_http2: true, certificates } }
  writeFileSync(conf, JSON.stringify({ ...config, ...server, ...options.config }))
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  const words = [
    process.execPath,
    ...(options.nodeFlags ?? []),
    ...(options.hasProbe ? ['--import', processProbe] : []),
    join(options.checkout ?? repository, 'packages/turnpike/bin/turnpike.js'),
    'start',
    '--conf',
    conf,
    '--quiet',
    '--no-watch',
  ]
  const subject = await startSubject('turnpike', words, url, options.probe ?? '/ready', {
    channel: options.hasProbe === true,
  })
  return {
    ...subject,
    folder,
    async manage(method, path, body) {
      const answer = await fetch(url + path, {
        method,
        headers: { 'x-svc-authorization': benchSecret },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    },
    async stop(maxMs) {
      await subject.stop(maxMs)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
