/** Engines on one store, each with its own key registry and session cache. They communicate by signals. */
import { makeInjectedRequest } from '@turnpike/core/engine'
import { defaultSettings, type Session, sessionShape } from '@turnpike/core/ports'
import type { KeyNodesSubject } from '../property-17-keys-several-nodes.ts'
import type { OpenEnvironment } from '../store-environments.ts'
import { keysApi, keysOrg } from './keys-subject.ts'
import { startNodes } from './node-group.ts'
import { accessTo, makeTestEngine, type TestEngine } from './test-engine.ts'

/** Lifetime of cached sessions, as on Redis (docs/reference/redis-layout.md#local-session-cache). */
const cachedForMs = 10_000
const id = 'shared'
const keyName = `${keysOrg}${id}`

export function engineKeyNodes(open: OpenEnvironment): KeyNodesSubject {
  return {
    name: 'keys of several nodes',
    boundMs: cachedForMs,
    async make(count) {
      const group = await startNodes(await open(), count, ({ clock, store, ...services }) =>
        makeTestEngine({
          ...services,
          definitions: [keysApi],
          open: async () => ({ clock, store }),
          settings: { keys: { ...defaultSettings.keys, cachedForMs } },
        }),
      )
      const at = (node: number) => group.nodes[node] as TestEngine
      return {
        ...group,
        async put(node) {
          const written = await at(node).keys.put(id, session)
          if (written.kind !== 'written') throw new Error(`the key was not created: ${written.kind}`)
        },
        async remove(node) {
          await at(node).keys.remove({ name: keyName })
        },
        async admits(node) {
          const request = makeInjectedRequest({ url: '/keys-api/x', headers: { authorization: keyName } })
          return (await at(node).engine.handle(request)).status === 200
        },
      }
    },
  }
}

const session: Session = sessionShape.read(accessTo(keysApi.api_id), [], [])
