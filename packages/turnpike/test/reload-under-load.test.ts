/** Reload of 1,000 definitions with one changed while requests keep coming: none fails, and the change is served. */
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { type Folder, makeFolder, openApi } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const many = 1_000
const reloads = 10

let folder: Folder
afterEach(() => folder.remove())

it.each(frontEnds)(
  'no request fails while 1,000 definitions are reloaded (%s)',
  { timeout: 60_000 },
  async (frontEnd) => {
    const upstream = await startRecordingUpstream()
    folder = makeFolder({ front_end: frontEnd, storage: { type: 'memory' } })
    const target = (i: number, to: string) => openApi(`api-${i}`, `${upstream.url}${to}/`)
    for (let i = 0; i < many; i++)
      writeFileSync(folder.file('apps', `api-${i}.json`), JSON.stringify(target(i, 'first')))
    const gateway = await startForTest(folder, ['--no-requests'])

    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const statuses = new Map<number | string, number>()
    let going = true
    const ask = () =>
      new Promise<void>((resolve) => {
        const path = `/api-${Math.floor(Math.random() * many)}/x`
        const count = (status: number | string) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          resolve()
        }
        request({ host: '127.0.0.1', port: gateway.port, path, agent }, (response) => {
          response.resume().on('end', () => count(response.statusCode ?? 0))
        })
          .on('error', (error) => count(error.message))
          .end()
      })
    const lanes = Array.from({ length: 16 }, async () => {
      while (going) await ask()
    })
    for (let round = 0; round < reloads; round++) {
      writeFileSync(folder.file('apps', 'api-7.json'), JSON.stringify(target(7, `round-${round}`)))
      expect((await gateway.manage('GET', '/svc/reload?block=true')).status).toBe(200)
      const { body } = await gateway.manage('GET', '/svc/reload/report')
      expect(body).toMatchObject({ loaded: many, changed: ['api-7.json'], failed: [], removed: [] })
      upstream.forget()
      await fetch(`${gateway.url}/api-7/after`)
      expect(upstream.seen.map(({ url }) => url)).toContain(`/round-${round}/after`)
    }
    going = false
    await Promise.all(lanes)
    agent.destroy()
    await upstream.close()
    expect([...statuses.keys()]).toEqual([200])
    expect(statuses.get(200)).toBeGreaterThan(reloads * 10)
  },
)
