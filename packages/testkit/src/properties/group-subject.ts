/**
 * What the property of group reloads is about, as engines on one store that have joined one group and tell each other by the
 * store's own signals. Any of them can be made deaf.
 */
import { defaultSettings, joinCluster, makeEngine, type SourceSnapshot, silentLog } from '@turnpike/core'
import { makeFakeUpstream } from '../fakes/fake-upstream.ts'
import { makeSequentialIds } from '../fakes/sequential-ids.ts'
import { makeLossySignals, publishMarker } from './lossy-signals.ts'
import type { GroupSubject } from './property-20-group.ts'
import type { OpenEnvironment } from './store-environments.ts'

const heartbeatMs = 5000

/** Engines on one store, or on the stores that nodes of it have. */
export function engineGroup(open: OpenEnvironment): GroupSubject {
  return {
    name: 'group reloads',
    // A heartbeat, and the next one where the first fell into the reading of files.
    boundMs: 2 * heartbeatMs,
    async make(count) {
      const world = await open()
      const { clock } = world
      let version = 1
      let marks = 0
      const startNode = async (i: number) => {
        const store = i === 0 ? world.store : await world.another()
        const ears = makeLossySignals(await world.signals())
        const served: number[] = []
        const parts = { clock, store, signals: ears.signals, ids: makeSequentialIds((i + 1) * 1e6), log: silentLog }
        const engine = makeEngine({
          ...parts,
          upstream: makeFakeUpstream(clock),
          passwords: { hash: async (text) => text, matches: async (text, hash) => text === hash },
          settings: defaultSettings,
          source: { read: async () => snapshotOf(version) },
          onReload: () => {
            const name = engine.definitions()[0]?.name ?? ''
            served.push(Number(name.slice('version '.length)))
          },
        })
        const member = joinCluster({ ...parts, engine, vendor: 'svc', host: `node-${i}`, heartbeatMs })
        await clock.run(0)
        await engine.reload()
        return { ears, served, member }
      }
      const nodes: Awaited<ReturnType<typeof startNode>>[] = []
      for (let i = 0; i < count; i += 1) nodes.push(await startNode(i))
      await clock.run(0)
      return {
        async reloadGroup(node, next) {
          version = next
          await nodes[node]?.member.reloadGroup()
        },
        setDeaf: (node, isDeaf) => nodes[node]?.ears.setDeaf(isDeaf),
        async heard() {
          marks += 1
          const mark = `law-20-${marks}`
          for (const { ears } of nodes.slice(0, 1)) await publishMarker(ears.signals, mark)
          await Promise.all(nodes.map(({ ears }) => ears.until(mark)))
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
    api_id: 'law-20',
    org_id: 'org1',
    active: true,
    use_keyless: true,
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: '/law-20/', target_url: 'http://upstream.test', strip_listen_path: true },
  })
  return {
    definitions: [{ name: 'law-20.json', hash: text, text, problem: undefined }],
    definitionsProblem: undefined,
    policies: { kind: 'none' },
  }
}
