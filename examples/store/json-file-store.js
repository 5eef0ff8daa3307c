// A store with its keys in a JSON file and everything else in memory. json-file-store.test.ts runs the suite of stores.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { makeMemoryStore } from 'turnpike'

/** `clock` decides when keys expire: pass the clock of the gateway. */
export async function openJsonFileStore(file, clock) {
  const memory = makeMemoryStore({ clock })
  // By name: the session, and the time in milliseconds at which it is dropped; none: never.
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  for (const [name, { session, until }] of Object.entries(kept)) {
    const lifetimeMs = until === undefined ? undefined : until - clock.now()
    if (lifetimeMs === undefined || lifetimeMs > 0) await memory.sessions.put(name, session, lifetimeMs)
    else delete kept[name]
  }
  const write = () => writeFileSync(file, JSON.stringify(kept), { mode: 0o600 })
  const sessions = {
    find: (name) => memory.sessions.find(name),
    get: (name) => memory.sessions.get(name),
    list: (prefix) => memory.sessions.list(prefix),
    async put(name, session, lifetimeMs) {
      await memory.sessions.put(name, session, lifetimeMs)
      // The file has the session of this moment: the caller may change its object later.
      kept[name] = JSON.parse(JSON.stringify({ session, until: lifetimeMs && clock.now() + lifetimeMs }))
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
