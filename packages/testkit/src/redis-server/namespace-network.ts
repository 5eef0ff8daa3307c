/**
 * Servers in network namespaces, each with an address of its own, so that the kernel drops what a partition blocks: a
 * client gets no reply, not even to a new connection. Only Linux, and only with the permission to create namespaces.
 *
 * All traffic between servers, and between them and this machine, goes through another namespace, the router. A partition
 * is two rules per pair of addresses in it. A rule in the namespace of a server would make its calls fail at once.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Peers, TestNetwork } from './network.ts'

/** Addresses are in 198.18.0.0/15, which RFC 2544 reserves for tests of networks. */
const maxNetworks = 250
const dataPort = 6379
const busPort = 16_379

/** Why this process cannot create namespaces; `undefined` if it can. */
export function withoutNamespaces(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has network namespaces'
  if (process.getuid?.() !== 0) return 'only root may create network namespaces'
  for (const [program, ...args] of [
    ['unshare', '-n', 'ip', 'rule'],
    ['nsenter', '--version'],
  ] as const) {
    if (spawnSync(program, args).status !== 0) return `${[program, ...args].join(' ')} fails`
  }
  return undefined
}

export async function makeNamespaceNetwork(): Promise<TestNetwork> {
  const hub = await openHub()
  const { addressOf, router } = hub
  const hosts = new Map<number, Namespace>()
  const rules = new Map<number, readonly string[]>()
  const rulesOf = (index: number, from: Peers) => {
    const servers = from === 'clients' ? [] : [...hosts.keys()].filter((other) => other !== index).map(addressOf)
    const peers = from === 'servers' ? servers : [...servers, hub.clientAddress]
    const own = addressOf(index)
    return peers.flatMap((peer) => [`from ${own} to ${peer}`, `from ${peer} to ${own}`])
  }
  const heal = async (index: number) => {
    const old = rules.get(index) ?? []
    rules.delete(index)
    await router.configure(old.map((rule) => `rule del pref ${index + 1} ${rule}`))
  }
  return {
    async place(index) {
      const host = addressOf(index)
      const namespace = await openNamespace()
      hosts.set(index, namespace)
      await hub.attach(namespace, host)
      return {
        host,
        data: { own: dataPort, announced: dataPort },
        bus: { own: busPort, announced: busPort },
        args: ['--protected-mode', 'no'],
        launcher: namespace.launcher,
      }
    },
    async partition(index, from) {
      await heal(index)
      const next = rulesOf(index, from)
      rules.set(index, next)
      await router.configure(next.map((rule) => `rule add pref ${index + 1} ${rule} blackhole`))
    },
    heal,
    close() {
      for (const namespace of hosts.values()) namespace.close()
      hub.close()
    },
  }
}

/** Opens the router and connects it to this machine. */
async function openHub() {
  const router = await openNamespace()
  const { number, device } = await addDevice(router)
  const subnet = `198.18.${number}`
  const gateway = `${subnet}.1`
  const clientAddress = `${subnet}.2`
  await run(
    ['ip', '-batch', '-'],
    [
      `address add ${clientAddress}/32 dev ${device}`,
      `link set ${device} up`,
      `route add ${subnet}.0/24 via ${gateway} dev ${device} onlink`,
    ],
  )
  await router.configure([
    `address add ${gateway}/32 dev lo`,
    'link set lo up',
    'link set clients up',
    `route add ${clientAddress} dev clients`,
  ])
  await run([...router.launcher, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
  return {
    router,
    clientAddress,
    addressOf: (index: number) => `${subnet}.${11 + index}`,
    /** Connects a server with this address. */
    async attach(server: Namespace, address: string) {
      const end = `to${address.slice(address.lastIndexOf('.') + 1)}`
      await router.configure([
        `link add ${end} type veth peer name eth0 netns ${server.pid}`,
        `link set ${end} up`,
        `route add ${address} dev ${end}`,
      ])
      await server.configure([
        `address add ${address}/32 dev eth0`,
        'link set lo up',
        'link set eth0 up',
        `route add default via ${gateway} dev eth0 onlink`,
      ])
    },
    close() {
      spawnSync('ip', ['link', 'delete', device])
      router.close()
    },
  }
}

let nextNumber = process.pid

/** Connects a namespace to this machine. The names of devices are unique, and other processes create some concurrently. */
async function addDevice({ pid }: Namespace): Promise<{ readonly number: number; readonly device: string }> {
  for (let tried = 0; ; tried++) {
    const number = 1 + (nextNumber++ % maxNetworks)
    const device = `turnpike${number}`
    try {
      await run(['ip', 'link', 'add', device, 'type', 'veth', 'peer', 'name', 'clients', 'netns', String(pid)])
      return { number, device }
    } catch (error) {
      if (tried === maxNetworks) throw error
    }
  }
}

interface Namespace {
  readonly pid: number
  /** Command that starts a program inside. */
  readonly launcher: readonly string[]
  /** Runs commands of `ip` inside. */
  configure(commands: readonly string[]): Promise<void>
  close(): void
}

/** A namespace exists while a process uses it. This one ends with its input, and so at the latest with this process. */
async function openNamespace(): Promise<Namespace> {
  const holder: ChildProcess = spawn('unshare', ['-n', 'cat'], { stdio: ['pipe', 'ignore', 'ignore'] })
  holder.unref()
  const { pid = 0 } = holder
  const outside = readlinkSync('/proc/self/ns/net')
  for (let tried = 0; readlinkSync(`/proc/${pid}/ns/net`) === outside; tried++) {
    if (tried === 500) throw new Error('no network namespace within 5 s')
    await sleep(10)
  }
  const launcher = ['nsenter', '-t', String(pid), '-n']
  return {
    pid,
    launcher,
    configure: (commands) => run([...launcher, 'ip', '-batch', '-'], commands),
    close: () => void holder.kill('SIGKILL'),
  }
}

async function run([program = '', ...args]: readonly string[], input: readonly string[] = []): Promise<void> {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  let problem = ''
  child.stderr.on('data', (text) => {
    problem += text
  })
  // A program that does not read its input may have ended.
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${input.join('\n')}\n`)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${problem}`)
}
