/**
 * The subject of property 20: engines on one store that have joined one group and communicate by signals. Each of them can
 * be disconnected.
 */
import { joinCluster, makeEngine } from '@turnpike/core/engine'
import { defaultSettings, silentLog } from '@turnpike/core/ports'
import { makeFakeUpstream } from '../../fakes/fake-upstream.ts'
import type { GroupSubject } from '../property-20-convergence.ts'
import type { OpenEnvironment } from '../store-environments.ts'
import { startNodes } from './node-group.ts'
import { plainPasswords, type TestDefinition, testDefinition, testSnapshot } from './test-engine.ts'

const heartbeatMs = 5000

/** Makes a group of engines. Each has its own store object on the same data, if the store supports that. */
export function engineGroup(open: OpenEnvironment): GroupSubject {
  return {
    name: 'group reloads',
    // A node may miss the first heartbeat while it reads files, and then reloads at the second.
    boundMs: 2 * heartbeatMs,
    async make(count) {
      let version = 1
      const group = await startNodes(await open(), count, async (given, index) => {
        const served: number[] = []
        const services = { ...given, log: silentLog }
        const engine = makeEngine({
          ...services,
          upstream: makeFakeUpstream(given.clock),
          passwords: plainPasswords,
          settings: defaultSettings,
          source: { read: async () => testSnapshot([definitionOf(version)]) },
          onReload: () => {
            const name = engine.definitions()[0]?.name ?? ''
            served.push(Number(name.slice('version '.length)))
          },
        })
        const member = joinCluster({ ...services, engine, vendor: 'svc', host: `node-${index}`, heartbeatMs })
        await given.clock.run(0)
        await engine.reload()
        return { served, member }
      })
      await group.wait(0)
      return {
        ...group,
        async reloadGroup(node, next) {
          version = next
          await group.nodes[node]?.member.reloadGroup()
        },
        served: () => group.nodes.map(({ served }) => served),
      }
    },
  }
}

function definitionOf(version: number): TestDefinition {
  return testDefinition('group-api', { name: `version ${version}`, use_keyless: true })
}
