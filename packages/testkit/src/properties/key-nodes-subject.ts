/** Engines on one store, each with its own registry of keys and its own memory of them, that tell each other by signals. */
import { defaultSettings, makeInjectedRequest, type Session, sessionShape } from '@turnpike/core'
import { makeSequentialIds } from '../fakes/sequential-ids.ts'
import { startKeyEngine } from './key-engine.ts'
import { keysApi, keysOrg } from './keys-subject.ts'
import { makeLossySignals, publishMarker } from './lossy-signals.ts'
import type { KeyNodesSubject } from './property-17-keys-across-nodes.ts'
import type { OpenEnvironment } from './store-environments.ts'

/** How long a node believes what it read of a key, as a gateway on Redis does. */
const cachedForMs = 10_000
const id = 'shared'
const keyName = `${keysOrg}${id}`

export function engineKeyNodes(open: OpenEnvironment): KeyNodesSubject {
  return {
    name: 'keys of several nodes',
    boundMs: cachedForMs,
    async make(count) {
      const world = await open()
      const { clock } = world
      let marks = 0
      const startNode = async (place: number) => {
        const store = place === 0 ? world.store : await world.another()
        const ears = makeLossySignals(await world.signals())
        const node = await startKeyEngine({
          clock,
          store,
          signals: ears.signals,
          ids: makeSequentialIds((place + 1) * 1e6),
          settings: { ...defaultSettings, keys: { ...defaultSettings.keys, cachedForMs } },
          api: keysApi,
        })
        return { ears, ...node }
      }
      const nodes: Awaited<ReturnType<typeof startNode>>[] = []
      for (let place = 0; place < count; place += 1) nodes.push(await startNode(place))
      const at = (node: number) => nodes[node] as (typeof nodes)[number]
      return {
        async put(node) {
          const written = await at(node).registry.put(id, session)
          if (written.kind !== 'written') throw new Error(`the key was not made: ${written.kind}`)
        },
        async remove(node) {
          await at(node).registry.remove({ name: keyName })
        },
        async admits(node) {
          const request = makeInjectedRequest({ url: '/keys-law/x', headers: { authorization: keyName } })
          return (await at(node).engine.handle(request)).status === 200
        },
        setDeaf: (node, isDeaf) => at(node).ears.setDeaf(isDeaf),
        async heard() {
          marks += 1
          const mark = `law-17-${marks}`
          await publishMarker(at(0).ears.signals, mark)
          await Promise.all(nodes.map(({ ears }) => ears.until(mark)))
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
