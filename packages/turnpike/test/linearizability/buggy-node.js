/**
 * `start --conf FILE` as a gateway with two seeded bugs: it reads the used quota and counts the request in two steps, and it
 * responds to reads of keys with what it read up to five seconds ago. It is the built package with a store that is wrong.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRedisStore, openRedisConnection } from '@turnpike/adapters/store-redis'
import { createGateway } from 'turnpike'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const config = JSON.parse(readFileSync('gateway.json', 'utf8'))
const connection = openRedisConnection({ redis: { addresses: [config.storage] }, log })
const store = makeRedisStore({ connection, log, hashKeys: config.hash_keys })
await connection.ready(1000)

const consume = async (counter, amount) => {
  if (counter.quota === undefined || amount === 0) return store.counters.consume(counter, amount)
  const before = await store.counters.consume(counter, 0)
  await sleep(5)
  const { rate } = await store.counters.consume(counter, amount)
  return { rate, quota: { ...before.quota, remaining: Math.max(0, before.quota.remaining - 1) } }
}

const seen = new Map()
const get = async (name) => {
  const known = seen.get(name)
  if (known !== undefined && Date.now() - known.at < 5000) return known.read
  const read = await store.sessions.get(name)
  seen.set(name, { at: Date.now(), read })
  return read
}

/** The object with other members. Methods of classes keep their object. */
function changed(object, members) {
  return new Proxy(object, {
    get: (_, name) => members[name] ?? object[name]?.bind?.(object) ?? object[name],
    has: (_, name) => name in object,
  })
}

const gateway = await createGateway({
  config,
  definitions: 'apps',
  store: changed(store, { counters: changed(store.counters, { consume }), sessions: changed(store.sessions, { get }) }),
  log: 'silent',
})
const { url } = await gateway.listen(config.listen_port, config.listen_address)
console.log(`the gateway listens on ${url}`)
