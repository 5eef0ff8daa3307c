import { describe, expect, it } from 'vitest'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { readShape } from '../../lib/shape/shape.ts'
import type { Clock } from '../../ports/clock.ts'
import { silentLog } from '../../ports/log.ts'
import { sessionShape } from '../../ports/session.ts'
import type { Store } from '../../ports/store.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'
import { emptyPolicyBook } from '../policies/policy-book.ts'
import { makeKeyLock } from './key-lock.ts'
import { KeyRegistry } from './key-registry.ts'
import { makeScriptKeys } from './script-keys.ts'

function setUp() {
  const clock: Clock = { now: () => 0, after: () => () => {}, breathe: async () => {} }
  const memory = makeMemoryStore({ clock })
  let gate: Promise<void> | undefined
  const { sessions } = memory
  // Reads return what was stored when they began, as those of a remote store do.
  const get = async (name: string) => {
    const found = sessions.get(name)
    const wait = gate
    gate = undefined
    await wait
    return found
  }
  const store: Store = { ...memory, sessions: { ...sessions, get } }
  const parts = {
    ...{ store, clock, log: silentLog, settings: plainSettings, keyLock: makeKeyLock() },
    signals: { publish: async () => {} },
    ids: { uuid: () => '1' },
    passwords: { hash: async (text: string) => text, matches: async () => false },
    policies: () => emptyPolicyBook,
    apis: () => [],
    sessionCache: { forget() {}, findNamed: () => undefined },
    orgs: { forget() {} },
  }
  return {
    store,
    scripts: makeScriptKeys(parts),
    registry: new KeyRegistry(parts),
    /** The next read waits until the returned function is called. */
    holdNextRead(): () => void {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = resolve
      })
      return open
    },
  }
}

describe('sessions that scripts change', () => {
  it('are not restored if the management API removes them at the same time', async () => {
    const { store, scripts, registry, holdNextRead } = setUp()
    await store.sessions.put('k', readShape(sessionShape, { org_id: 'org1' }).value)
    const release = holdNextRead()
    const change = scripts.changeData('k', { seen: true })
    await new Promise(setImmediate)
    const removal = registry.remove({ name: 'k', stored: true })
    await new Promise(setImmediate)
    release()
    await Promise.all([removal, change])
    expect(await store.sessions.get('k')).toBeUndefined()
  })

  it('keep a change of the management API that overlaps with theirs', async () => {
    const { store, scripts, registry, holdNextRead } = setUp()
    await store.sessions.put('k', readShape(sessionShape, { org_id: 'org1' }).value)
    const release = holdNextRead()
    const change = scripts.changeData('k', { seen: true })
    const policies = registry.changePolicies('k', ['gold'])
    await new Promise(setImmediate)
    release()
    await Promise.all([change, policies])
    const stored = (await store.sessions.get('k'))?.session
    expect(stored).toMatchObject({ metaData: { seen: true }, applyPolicies: ['gold'] })
  })
})
