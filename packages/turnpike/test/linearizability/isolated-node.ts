/**
 * The network between one node and Redis, which a test can cut: packets are lost, and no connection is closed.
 *
 * With the permission (root on Linux, iproute2), the node runs in a network namespace with two cables: one to its clients
 * and one to Redis, which can be disconnected. Otherwise a TCP proxy in front of Redis stops forwarding.
 */
import { spawnSync } from 'node:child_process'
import { startNetworkLink } from '@turnpike/testkit/redis-server'
import { freePort } from '../support/process.ts'

export interface IsolatedNode {
  /** `network namespace`, or why a proxy is used instead. */
  readonly means: string
  /** Words before the command of the node. */
  readonly through: readonly string[]
  /** Address on which the node listens. */
  readonly listenAddress: string
  /** Address under which the node reaches servers of the test. */
  readonly hostAddress: string
  /** Addresses on which Redis has to listen, besides 127.0.0.1. */
  readonly redisAddresses: readonly string[]
  /** Where the node finds Redis, whose TCP port is given. */
  connect(redisPort: number): Promise<{ readonly host: string; readonly port: number }>
  partition(): void
  heal(): void
  close(): void
}

/** Prefers a network namespace. */
export function isolateNode(): IsolatedNode {
  const problem = process.env['TURNPIKE_PARTITION'] === 'proxy' ? 'TURNPIKE_PARTITION=proxy' : addNamespace()
  return problem === undefined ? namespaceNode() : proxyNode(problem)
}

const name = `turnpike-${process.pid}`
const cable = `tp${process.pid % 100_000}`
const subnet = `10.213.${process.pid % 250}`
const host = { clients: `${subnet}.1`, redis: `${subnet}.5` }
const node = { clients: `${subnet}.2`, redis: `${subnet}.6` }

/** Returns why it is not possible. */
function addNamespace(): string | undefined {
  process.once('exit', removeNamespace)
  for (const words of [
    `netns add ${name}`,
    `link add ${cable}c type veth peer name clients netns ${name}`,
    `link add ${cable}r type veth peer name redis netns ${name}`,
    `addr add ${host.clients}/30 dev ${cable}c`,
    `addr add ${host.redis}/30 dev ${cable}r`,
    `-n ${name} addr add ${node.clients}/30 dev clients`,
    `-n ${name} addr add ${node.redis}/30 dev redis`,
    `link set ${cable}c up`,
    `link set ${cable}r up`,
    `-n ${name} link set lo up`,
    `-n ${name} link set clients up`,
    `-n ${name} link set redis up`,
  ]) {
    const problem = ip(words)
    if (problem === undefined) continue
    removeNamespace()
    return problem
  }
  return undefined
}

function ip(words: string): string | undefined {
  const { status, stderr, error } = spawnSync('ip', words.split(' '), { encoding: 'utf8' })
  return status === 0 ? undefined : `ip ${words}: ${error?.message ?? stderr.trim()}`
}

/** Removes both ends of the cables as well. */
function removeNamespace(): void {
  ip(`link del ${cable}c`)
  ip(`link del ${cable}r`)
  ip(`netns del ${name}`)
}

function namespaceNode(): IsolatedNode {
  const setCable = (state: 'up' | 'down') => {
    const problem = ip(`link set ${cable}r ${state}`)
    if (problem !== undefined) throw new Error(problem)
  }
  return {
    means: 'network namespace',
    through: ['ip', 'netns', 'exec', name],
    listenAddress: node.clients,
    hostAddress: host.clients,
    redisAddresses: [host.redis],
    connect: async (port) => ({ host: host.redis, port }),
    partition: () => setCable('down'),
    heal: () => setCable('up'),
    close: removeNamespace,
  }
}

function proxyNode(problem: string): IsolatedNode {
  let link: Awaited<ReturnType<typeof startNetworkLink>> | undefined
  return {
    means: `TCP proxy (${problem})`,
    through: [],
    listenAddress: '127.0.0.1',
    hostAddress: '127.0.0.1',
    redisAddresses: [],
    async connect(redisPort) {
      link = await startNetworkLink(await freePort(), redisPort)
      return { host: '127.0.0.1', port: link.port }
    },
    partition: () => link?.cut(() => true),
    heal: () => link?.cut(() => false),
    close: () => link?.close(),
  }
}
