/** Engines on one store, each with its own key registry and session cache. They communicate by signals. */
import { defaultSettings, makeInjectedRequest, type Session, sessionShape } from '@turnpike/core'
import { makeSequentialIds } from '../../fakes/sequential-ids.ts'
import type { KeyNodesSubject } from '../property-17-keys-several-nodes.ts'
import type { OpenEnvironment } from '../store-environments.ts'
import { makeDisconnectableSignals, publishMarker } from './disconnectable-signals.ts'
import { startKeyEngine } from './key-engine.ts'
import { keysApi, keysOrg } from './keys-subject.ts'

/** Lifetime of cached sessions, as on Redis (docs/reference/redis-layout.md#local-session-cache). */
const cachedForMs = 10_000
const id = 'shared'
const keyName = `${keysOrg}${id}`

export function engineKeyNodes(open: OpenEnvironment): KeyNodesSubject {
  return {
    name: 'keys of several nodes',
    boundMs: cachedForMs,
    async make(count) {
      const environment = await open()
      const { clock } = environment
      let markers = 0
      const startNode = async (index: number) => {
        const store = index === 0 ? environment.store : await environment.another()
        const signals = makeDisconnectableSignals(await environment.signals())
        const node = await startKeyEngine({
          clock,
          store,
          signals: signals.signals,
          ids: makeSequentialIds((index + 1) * 1e6),
          settings: { ...defaultSettings, keys: { ...defaultSettings.keys, cachedForMs } },
          api: keysApi,
        })
        return { signals, ...node }
      }
      const nodes: Awaited<ReturnType<typeof startNode>>[] = []
      for (let index = 0; index < count; index += 1) nodes.push(await startNode(index))
      const at = (node: number) => nodes[node] as (typeof nodes)[number]
      return {
        async put(node) {
          const written = await at(node).registry.put(id, session)
          if (written.kind !== 'written') throw new Error(`the key was not created: ${written.kind}`)
        },
        async remove(node) {
          await at(node).registry.remove({ name: keyName })
        },
        async admits(node) {
          const request = makeInjectedRequest({ url: '/keys-api/x', headers: { authorization: keyName } })
          return (await at(node).engine.handle(request)).status === 200
        },
        setDisconnected: (node, isDisconnected) => at(node).signals.setDisconnected(isDisconnected),
        async signalsDelivered() {
          markers += 1
          const marker = `keys-marker-${markers}`
          await publishMarker(at(0).signals.signals, marker)
          await Promise.all(nodes.map(({ signals }) => signals.waitForMarker(marker)))
          await clock.run(0)
        },
        wait: (ms) => clock.run(ms),
      }
    },
  }
}

const session: Session = sessionShape.read(
  { org_id: keysOrg, access_rights: { [keysApi.api_id]: { api_id: keysApi.api_id, versions: ['Default'] } } },
  [],
  [],
)
