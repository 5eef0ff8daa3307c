// A store of your own: keys in a JSON file, everything else in memory. A store of your own should pass `storeSuite` of
// @turnpike/testkit.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, defineApi, makeMemoryStore } from 'turnpike'

const clock = { now: Date.now, after: (ms, fn) => clearTimeout.bind(null, setTimeout(fn, ms)), breathe: async () => {} }

async function openStore(file) {
  const memory = makeMemoryStore({ clock })
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  for (const [name, session] of Object.entries(kept)) await memory.sessions.put(name, session)
  const write = () => writeFileSync(file, JSON.stringify(kept), { mode: 0o600 })
  const sessions = {
    find: (name) => memory.sessions.find(name),
    get: (name) => memory.sessions.get(name),
    list: (prefix) => memory.sessions.list(prefix),
    async put(name, session, lifetimeMs) {
      await memory.sessions.put(name, session, lifetimeMs)
      kept[name] = session
      write()
    },
    async remove(name) {
      delete kept[name]
      write()
      return memory.sessions.remove(name)
    },
  }
  return { ...memory, sessions, check: () => memory.check(), close: () => memory.close() }
}

const folder = mkdtempSync(join(tmpdir(), 'turnpike-store-'))
const file = join(folder, 'keys.json')
const definitions = [defineApi({ id: 'orders', target: 'http://127.0.0.1:1/', orgId: 'acme' })]
const open = async () => createGateway({ definitions, store: await openStore(file), log: 'silent' })

const first = await open()
const access_rights = { orders: { versions: ['Default'] } }
const { key } = await first.keys.create({ org_id: 'acme', alias: 'shop', access_rights })
await first.close()

const second = await open()
console.log(`after a restart: ${(await second.keys.get(key))?.alias}`)
await second.keys.remove(key)
await second.close()
console.log(`in the file: ${readFileSync(file, 'utf8')}`)
rmSync(folder, { recursive: true })
