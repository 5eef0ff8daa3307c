/**
 * One gateway of the cluster: the production engine, on simulated ports. It can crash at any moment, between any two
 * store calls, and restarts with only the data in the store and on its disk.
 */
import type { SourceSnapshot } from '@turnpike/core/definition'
import { type ClusterMember, type Engine, type EngineOptions, joinCluster, makeEngine } from '@turnpike/core/engine'
import type { GatewayRequest, GatewayResponse } from '@turnpike/core/http'
import { when } from '@turnpike/core/lib'
import { type Clock, type GatewaySettings, type Signals, type Store, silentLog } from '@turnpike/core/ports'
import { KeyRegistry } from '@turnpike/core/session'
import { makeMemoryCounters } from '@turnpike/core/store-memory'
import { makeSequentialIds, plainPasswords } from '@turnpike/testkit'
import type { Participant } from '../simulation/network.ts'
import { makeNodeClock, type NodeClock } from '../simulation/node-clock.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { type Disk, makeDisk } from './disk.ts'
import { makeEchoUpstream } from './echo-upstream.ts'
import { type Broker, makeRemoteSignals } from './remote-signals.ts'
import { makeStoreConnection } from './store-connection.ts'
import type { StoreServer } from './store-server.ts'

/** Wraps the ports of a node. Seeded bugs are implemented this way. */
export interface Around {
  /** `clock`: the node's time of day. */
  store?(store: Store, node: Participant, clock: Clock): Store
  signals?(signals: Signals, node: Participant): Signals
  settings?(settings: GatewaySettings): GatewaySettings
  /** Heartbeats of the node. */
  heartbeatMs?: number
  disk?(disk: Disk, node: Participant): Disk
}

export interface SimNodeOptions {
  readonly name: Participant
  readonly simulation: Simulation
  readonly server: StoreServer
  readonly broker: Broker
  readonly files: SourceSnapshot
  readonly settings: GatewaySettings
  /** Further options of the engine. */
  readonly engineOptions: Partial<EngineOptions>
  readonly deadlineMs: number
  readonly around: Around
  /** Called when the node begins to serve another configuration. */
  onServes(engine: Engine): void
}

/** The state of a node between a start and a crash. */
interface Life {
  readonly engine: Engine
  readonly member: ClusterMember
  readonly keys: KeyRegistry
  readonly clock: NodeClock
}

export interface SimNode {
  readonly name: Participant
  readonly disk: Disk
  /** The engine; `undefined` while the node is down. */
  engine(): Engine | undefined
  keys(): KeyRegistry | undefined
  /** Sends a request. The promise never settles if the node crashes first. `undefined`: the node is down. */
  handle(request: GatewayRequest): Promise<GatewayResponse> | undefined
  start(): Promise<void>
  crash(): void
  step(byMs: number): void
  /** Resolves when this node serves the definitions on its disk. Rejects while it is down. */
  reload(): Promise<void>
  /** Resolves when the reload signal is published to all nodes. Rejects while this node is down. */
  reloadGroup(): Promise<void>
  /** The store is reachable again: the node handles the signals that it may have missed, like the Redis adapter. */
  reconnected(): void
}

const heartbeatMs = 5_000

export function makeSimNode(options: SimNodeOptions): SimNode {
  const { name, simulation, broker, around } = options
  const plainDisk = makeDisk(simulation.clock, options.files, 5)
  const disk = around.disk?.(plainDisk, name) ?? plainDisk
  let life: Life | undefined
  let lives = 0
  let skewMs = 0

  const begin = (): Life => {
    lives += 1
    const clock = makeNodeClock(simulation.clock, skewMs)
    return beginLife(options, disk, clock, lives, (engine) => {
      if (life?.engine === engine) options.onServes(engine)
    })
  }

  const alive = (): Life => {
    if (life === undefined) throw new Error('the node is down')
    return life
  }

  return {
    name,
    disk,
    engine: () => life?.engine,
    keys: () => life?.keys,
    handle(request) {
      const now = life
      if (now === undefined) return undefined
      return new Promise((resolve) => {
        void Promise.resolve(now.engine.handle(request)).then((response) => {
          if (life === now) resolve(response)
        })
      })
    },
    async start() {
      if (life !== undefined) return
      life = begin()
      await life.engine.reload()
    },
    crash() {
      life?.clock.stop()
      broker.listeners.delete(name)
      life = undefined
    },
    step(byMs) {
      skewMs += byMs
      life?.clock.step(byMs)
    },
    async reload() {
      await alive().engine.reload()
    },
    async reloadGroup() {
      await alive().member.reloadGroup()
    },
    reconnected() {
      life?.engine.sessionCache.renew()
      void life?.engine.reload()
      void life?.member.beat()
    },
  }
}

/** Makes the engine of a node on the ports of the simulation. `lives` is the number of starts of the node so far. */
function beginLife(
  { name, simulation, server, broker, settings, engineOptions, deadlineMs, around }: SimNodeOptions,
  disk: Disk,
  clock: NodeClock,
  lives: number,
  onReload: (engine: Engine) => void,
): Life {
  const connection = makeStoreConnection({ from: name, store: broker, simulation, clock, deadlineMs })
  const near = withLocalBuckets(server.connect(connection), clock)
  const store = around.store?.(near, name, clock) ?? near
  const plainSignals = makeRemoteSignals(broker, name, simulation.network)
  const signals = around.signals?.(plainSignals, name) ?? plainSignals
  const ports = {
    clock,
    store,
    signals,
    // Ids differ for each node and each restart.
    ids: makeSequentialIds(Number.parseInt(name.replace(/\D/g, '') || '0', 10) * 1e9 + lives * 1e6),
    passwords: plainPasswords,
    log: silentLog,
    settings: around.settings?.(settings) ?? settings,
  }
  const engine = makeEngine({
    ...engineOptions,
    ...ports,
    upstream: makeEchoUpstream(),
    source: disk,
    onReload: () => onReload(engine),
  })
  const member = joinCluster({
    ...ports,
    engine,
    vendor: settings.vendor,
    host: name,
    heartbeatMs: around.heartbeatMs ?? heartbeatMs,
  })
  const { policies, definitions: apis, sessionCache, keyLock, orgs } = engine
  const keys = new KeyRegistry({ ...ports, policies, apis, sessionCache, keyLock, orgs })
  return { engine, member, clock, keys }
}

/** Each node counts rates of the algorithm `local` by itself, regardless of the store. */
function withLocalBuckets(store: Store, clock: NodeClock): Store {
  const buckets = makeMemoryCounters({ clock, sweep: false })
  const { counters } = store
  return {
    ...store,
    counters: {
      ...counters,
      consume(counter, amount) {
        if (counter.rate?.algorithm !== 'local') return counters.consume(counter, amount)
        const { rate } = buckets.consume({ ...counter, quota: undefined }, amount)
        if (rate?.allowed === false || counter.quota === undefined) return { rate, quota: undefined }
        return when(counters.consume({ ...counter, rate: undefined }, amount), ({ quota }) => ({ rate, quota }))
      },
    },
  }
}
