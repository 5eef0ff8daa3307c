// Definitions in a folder. A reload serves a new file; for a broken file, the last good version stays active.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, defineApi } from 'turnpike'
import { startEchoUpstream } from 'turnpike/echo-upstream'

const upstream = await startEchoUpstream()
const folder = await mkdtemp(join(tmpdir(), 'turnpike-example-'))
const gateway = await createGateway({ definitions: folder })
console.log('before:', (await gateway.inject('/orders/1')).status)

const file = join(folder, 'orders.json')
await writeFile(file, JSON.stringify(defineApi({ id: 'orders', target: upstream.url, open: true })))
await gateway.reload()
console.log('after:', (await gateway.inject('/orders/1')).status)

await writeFile(file, '{ "name": "half a fi')
const { failed } = await gateway.reload()
console.log('broken, and still', (await gateway.inject('/orders/1')).status, '-', failed[0].reason)

await gateway.close()
await upstream.close()
await rm(folder, { recursive: true })
