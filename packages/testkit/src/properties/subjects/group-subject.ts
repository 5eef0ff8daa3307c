/**
 * The subject of property 20: engines on one store that have joined one group and communicate by signals. Each of them can
 * be disconnected.
 */
import { defaultSettings, joinCluster, makeEngine, type SourceSnapshot, silentLog } from '@turnpike/core'
import { makeFakeUpstream } from '../../fakes/fake-upstream.ts'
import { makeSequentialIds } from '../../fakes/sequential-ids.ts'
import type { GroupSubject } from '../property-20-convergence.ts'
import type { OpenEnvironment } from '../store-environments.ts'
import { makeDisconnectableSignals, publishMarker } from './disconnectable-signals.ts'
import { plainPasswords } from './test-engine.ts'

const heartbeatMs = 5000

/** Makes a group of engines. Each has its own store object on the same data, if the store supports that. */
export function engineGroup(open: OpenEnvironment): GroupSubject {
  return {
    name: 'group reloads',
    // A node may miss the first heartbeat while it reads files, and then reloads at the second.
    boundMs: 2 * heartbeatMs,
    async make(count) {
      const environment = await open()
      const { clock } = environment
      let version = 1
      let markers = 0
      const startNode = async (i: number) => {
        const store = i === 0 ? environment.store : await environment.another()
        const signals = makeDisconnectableSignals(await environment.signals())
        const served: number[] = []
        const services = {
          clock,
          store,
          signals: signals.signals,
          ids: makeSequentialIds((i + 1) * 1e6),
          log: silentLog,
        }
        const engine = makeEngine({
          ...services,
          upstream: makeFakeUpstream(clock),
          passwords: plainPasswords,
          settings: defaultSettings,
          source: { read: async () => snapshotOf(version) },
          onReload: () => {
            const name = engine.definitions()[0]?.name ?? ''
            served.push(Number(name.slice('version '.length)))
          },
        })
        const member = joinCluster({ ...services, engine, vendor: 'svc', host: `node-${i}`, heartbeatMs })
        await clock.run(0)
        await engine.reload()
        return { signals, served, member }
      }
      const nodes: Awaited<ReturnType<typeof startNode>>[] = []
      for (let i = 0; i < count; i += 1) nodes.push(await startNode(i))
      await clock.run(0)
      return {
        async reloadGroup(node, next) {
          version = next
          await nodes[node]?.member.reloadGroup()
        },
        setDisconnected: (node, isDisconnected) => nodes[node]?.signals.setDisconnected(isDisconnected),
        async signalsDelivered() {
          markers += 1
          const marker = `group-marker-${markers}`
          for (const { signals } of nodes.slice(0, 1)) await publishMarker(signals.signals, marker)
          await Promise.all(nodes.map(({ signals }) => signals.waitForMarker(marker)))
          await clock.run(0)
        },
        wait: (ms) => clock.run(ms),
        served: () => nodes.map(({ served }) => served),
      }
    },
  }
}

function snapshotOf(version: number): SourceSnapshot {
  const text = JSON.stringify({
    name: `version ${version}`,
    api_id: 'group-api',
    org_id: 'org1',
    active: true,
    use_keyless: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: '/group-api/', target_url: 'http://upstream.test', strip_listen_path: true },
  })
  return {
    definitions: [{ name: 'group-api.json', hash: text, text, problem: undefined }],
    definitionsProblem: undefined,
    policies: { kind: 'none' },
  }
}
