/**
 * Malformed and ambiguous HTTP through a whole gateway, on both front ends: each message of the wire suite that must
 * be rejected is sent to one process, with an upstream behind it that remembers what reached it.
 */

import { type WireCase, wireCases } from '@turnpike/testkit/suites/http-wire/malformed-cases'
import { rawExchange } from '@turnpike/testkit/suites/http-wire/raw-exchange'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Folder, makeFolder, openApi } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { type RunningGateway, startGateway } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const rejected = wireCases.filter(({ handled }) => handled === 'never' || handled === 'broken')

/** Each message has a path of its own, which identifies it at the upstream. */
const named = (wireCase: WireCase, i: number) => wireCase.bytes.replace('/x', `/case-${i}-`)
const follower = (i: number) => `GET /behind-${i} HTTP/1.1\r\nHost: a.test\r\n\r\n`

it('more than 40 malformed messages are known', () => expect(rejected.length).toBeGreaterThan(40))

describe.each(frontEnds)('a gateway with the %s front end', (frontEnd) => {
  let folder: Folder
  let upstream: RecordingUpstream
  let gateway: RunningGateway
  const texts: string[] = []
  beforeAll(async () => {
    upstream = await startRecordingUpstream()
    folder = makeFolder({ front_end: frontEnd, storage: { type: 'memory' } })
    folder.write(
      'apps/all.json',
      openApi('all', upstream.url, { proxy: { listen_path: '/', target_url: upstream.url, strip_listen_path: true } }),
    )
    gateway = await startGateway(folder)
    const queue = rejected.map((wireCase, i) => ({ wireCase, i }))
    const lane = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { wireCase, i } = next
        const bytes = named(wireCase, i)
        const [alone] = await Promise.all([
          rawExchange(gateway.port, bytes, { waitMs: 400, graceMs: 1_000 }),
          rawExchange(gateway.port, bytes + follower(i), { waitMs: 150 }),
          rawExchange(gateway.port, bytes, { waitMs: 150, later: [{ afterMs: 30, bytes: follower(i) }] }),
        ])
        texts[i] = alone.text
      }
    }
    await Promise.all(Array.from({ length: 8 }, lane))
  })
  afterAll(async () => {
    gateway.child.kill('SIGKILL')
    await upstream.close()
    folder.remove()
  })

  it.each(rejected.map((wireCase, i) => [wireCase.name, wireCase, i] as const))(
    'rejects %s, which never reaches the upstream',
    (_name, wireCase, i) => {
      const text = texts[i] as string
      const status = text.startsWith('HTTP/') ? Number(text.slice(9, 12)) : 'silence'
      expect(['silence', ...wireCase.status]).toContain(status)
      const reached = upstream.seen.filter(({ url }) => url.includes(`/case-${i}-`))
      if (wireCase.handled === 'never') expect(reached).toEqual([])
      else expect(reached.filter(({ complete }) => complete)).toEqual([])
      expect(upstream.seen.filter(({ url }) => url.includes(`/behind-${i}`))).toEqual([])
    },
  )

  it('lets nothing else through, and keeps serving in the same process', async () => {
    const asked = /^\/case-\d+-/
    expect(upstream.seen.filter(({ url }) => !asked.test(url))).toEqual([])
    expect(await (await fetch(`${gateway.url}/still-here`)).text()).toBe('ok')
    expect(gateway.isAlive()).toBe(true)
  })
})
