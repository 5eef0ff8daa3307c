// A store of your own: keys in a JSON file, everything else in memory.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, defineApi } from 'turnpike'
import { openJsonFileStore } from './json-file-store.js'

const clock = { now: Date.now, after: (ms, fn) => clearTimeout.bind(null, setTimeout(fn, ms)), breathe: async () => {} }

const folder = mkdtempSync(join(tmpdir(), 'turnpike-store-'))
const file = join(folder, 'keys.json')
const definitions = [defineApi({ id: 'orders', target: 'http://127.0.0.1:1/', orgId: 'acme' })]
const open = async () => createGateway({ definitions, store: await openJsonFileStore(file, clock), log: 'silent' })

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
