/** Performs the steps of a plan that are not requests: faults, changes of files and keys, reloads. */
import type { SourceSnapshot } from '@turnpike/core/definition'
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import type { SimNode } from '../cluster/sim-node.ts'
import type { StoreServer } from '../cluster/store-server.ts'
import type { Network, Participant } from '../simulation/network.ts'
import { orgId, sessionOf } from './one-api-gateway.ts'
import type { PlannedKey, Step } from './plan.ts'
import type { SimulatedGateway } from './simulated-gateway.ts'

export interface StepServices {
  readonly nodes: ReadonlyMap<Participant, SimNode>
  readonly network: Network
  readonly clock: Clock
  readonly server: StoreServer
  readonly gateway: SimulatedGateway
  /** What the broker and the nodes see of the store. */
  readonly state: { storeIsUp: boolean }
}

export interface StepRunner {
  /** Rejects with the reason if the step fails. */
  perform(step: Exclude<Step, { kind: 'request' }>): Promise<void>
  /** Returns the node that receives a request for this node: while clients avoid it, the next one. */
  nodeFor(node: Participant): Participant
}

/** Time until a node notices that a connection is restored. */
const reconnectMs = 1_000

export function makeStepRunner({ nodes, network, clock, server, gateway, state }: StepServices): StepRunner {
  const avoided = new Set<Participant>()
  const reconnect = (names: Iterable<Participant>) =>
    void clock.after(reconnectMs, () => {
      for (const name of names) nodes.get(name)?.reconnected()
    })

  const storeIsBack = () => {
    state.storeIsUp = true
    reconnect(nodes.keys())
  }

  const failover = async (forMs: Millis) => {
    if (server.promote === undefined) throw new Error('this store has no replica')
    state.storeIsUp = false
    await sleep(clock, forMs)
    server.promote()
    storeIsBack()
  }

  const restart = async (name: Participant, drainMs: Millis, downMs: Millis) => {
    avoided.add(name)
    await stopAndStart(nodes.get(name), clock, drainMs, downMs)
    avoided.delete(name)
  }

  return {
    async perform(step) {
      const node = 'node' in step ? nodes.get(step.node) : undefined
      switch (step.kind) {
        case 'cut':
          return network.cut(step.a, step.b)
        case 'heal':
          network.heal(step.a, step.b)
          return reconnect([step.a, step.b])
        case 'crash':
          return node?.crash()
        case 'start':
          return node?.start()
        case 'restart':
          return restart(step.node, step.drainMs, step.downMs)
        case 'store-down':
          state.storeIsUp = false
          return
        case 'store-up':
          return storeIsBack()
        case 'failover':
          return failover(step.forMs)
        case 'clock':
          return node?.step(step.byMs)
        case 'disk':
          return node?.disk.setReadMs(step.readMs)
        case 'files':
          return writeFiles(nodes, gateway.snapshotOf(step.files))
        case 'reload':
          return node?.reload()
        case 'reload-group':
          return node?.reloadGroup()
        case 'put-key':
          return putKey(node, step.key)
        case 'delete-key':
          return deleteKey(node, step.key)
      }
    },
    nodeFor: (node) => (avoided.has(node) ? nextRunning(node, nodes, avoided) : node),
  }
}

const sleep = (clock: Clock, ms: Millis) => new Promise<void>((resolve) => void clock.after(ms, resolve))

async function stopAndStart(node: SimNode | undefined, clock: Clock, drainMs: Millis, downMs: Millis): Promise<void> {
  await sleep(clock, drainMs)
  node?.crash()
  await sleep(clock, downMs)
  await node?.start()
}

/** Returns the next node in order that runs and that clients do not avoid. Default: the node itself. */
function nextRunning(
  node: Participant,
  nodes: ReadonlyMap<Participant, SimNode>,
  avoided: ReadonlySet<Participant>,
): Participant {
  const names = [...nodes.keys()]
  const at = names.indexOf(node)
  const inOrder = [...names.slice(at), ...names.slice(0, at)]
  return inOrder.find((name) => !avoided.has(name) && nodes.get(name)?.engine() !== undefined) ?? node
}

function writeFiles(nodes: ReadonlyMap<Participant, SimNode>, files: SourceSnapshot): void {
  for (const { disk } of nodes.values()) disk.write(files)
}

async function putKey(node: SimNode | undefined, key: PlannedKey): Promise<void> {
  const written = await node?.keys()?.put(key.name, sessionOf(key))
  if (written?.kind !== 'written') throw new Error(`the key was not written: ${written?.kind ?? 'the node is down'}`)
}

async function deleteKey(node: SimNode | undefined, key: string): Promise<void> {
  const removal = await node?.keys()?.remove({ name: orgId + key, orgId })
  if (removal?.kind !== 'removed') throw new Error(`the key was not removed: ${removal?.kind ?? 'the node is down'}`)
}
