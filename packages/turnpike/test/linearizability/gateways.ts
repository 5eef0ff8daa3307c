/** Three gateway processes on one Redis, and the faults that a test can inject. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type RedisServer, startRedisServer } from '@turnpike/testkit/redis-server'
import { keyedApi, makeFolder } from '../support/folder.ts'
import { freePort, type RunningGateway, startGateway } from '../support/process.ts'
import { type IsolatedNode, isolateNode } from './isolated-node.ts'

/** A mistake that the checker must find: Redis keeps nothing when it is killed, or the first node is buggy-node.js. */
export type SeededBug = 'redis forgets' | 'buggy node'

export interface GatewaysOptions {
  readonly limiter: 'rolling' | 'fixed'
  readonly seededBug?: SeededBug | undefined
}

export interface Gateway {
  readonly name: string
  readonly url: string
  restart(): Promise<void>
  kill(): Promise<void>
  suspend(): void
  resume(): void
}

export interface Gateways {
  readonly gateways: readonly Gateway[]
  readonly redis: RedisServer
  /** The third node, which can be cut from Redis. */
  readonly isolated: IsolatedNode
  close(): Promise<void>
}

const buggyNode = fileURLToPath(new URL('./buggy-node.js', import.meta.url))

export async function startGateways({ limiter, seededBug }: GatewaysOptions): Promise<Gateways> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const isolated = isolateNode()
    closing.push(() => isolated.close())
    const redis = await startRedisServer({ args: redisArguments(isolated, seededBug) })
    closing.push(() => redis.close())
    const upstream = createServer((_, response) => response.end('ok')).listen(0)
    await once(upstream, 'listening')
    closing.push(() => {
      upstream.close()
      upstream.closeAllConnections()
    })
    const upstreamPort = (upstream.address() as AddressInfo).port
    const node = async (name: string, place: Place) => {
      const started = await startNode(name, { ...place, upstreamPort, limiter })
      closing.push(
        () => started.kill(),
        () => started.remove(),
      )
      return started
    }
    const local = { listenAddress: '127.0.0.1', upstreamAddress: '127.0.0.1', redis }
    const gateways = await Promise.all([
      node('node 1', seededBug === 'buggy node' ? { ...local, program: buggyNode } : local),
      node('node 2', local),
      node('node 3', {
        listenAddress: isolated.listenAddress,
        upstreamAddress: isolated.hostAddress,
        redis: await isolated.connect(redis.port),
        through: isolated.through,
      }),
    ])
    return { gateways, redis, isolated, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Every acknowledged write is on disk, so that a killed Redis loses none. */
function redisArguments({ redisAddresses }: IsolatedNode, seededBug: SeededBug | undefined): string[] {
  const persistence = seededBug === 'redis forgets' ? [] : ['--appendonly', 'yes', '--appendfsync', 'always']
  return [...persistence, '--bind', '127.0.0.1', ...redisAddresses, '--protected-mode', 'no']
}

interface Place {
  readonly listenAddress: string
  readonly upstreamAddress: string
  readonly redis: { readonly host: string; readonly port: number }
  readonly through?: readonly string[]
  /** Default: the built command. */
  readonly program?: string
}

async function startNode(
  name: string,
  place: Place & { readonly upstreamPort: number; readonly limiter: 'rolling' | 'fixed' },
): Promise<Gateway & { remove(): void }> {
  const { listenAddress, upstreamAddress, upstreamPort, redis, limiter } = place
  const folder = makeFolder({
    listen_address: listenAddress,
    listen_port: await freePort(),
    app_path: 'apps',
    node_secret: 'the same on all nodes',
    storage: { type: 'redis', host: redis.host, port: redis.port },
    ...(limiter === 'fixed'
      ? { enable_fixed_window_rate_limiter: true, rate_limit_response_headers: 'rate_limits' }
      : { enable_redis_rolling_limiter: true }),
  })
  folder.write('apps/keyed.json', keyedApi('keyed', `http://${upstreamAddress}:${upstreamPort}`))
  const { through = [], program } = place
  const start = () => startGateway(folder, [], { through, ...(program === undefined ? {} : { program }) })
  let running: RunningGateway = await start()
  return {
    name,
    url: running.url,
    async kill() {
      running.child.kill('SIGKILL')
      await running.ended
    },
    async restart() {
      running = await start()
    },
    suspend: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    remove: folder.remove,
  }
}
