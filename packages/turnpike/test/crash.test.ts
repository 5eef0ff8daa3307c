/**
 * kill -9 of the whole gateway at random moments while keys are made, changed and deleted over the management API:
 * no acknowledged key is lost, no deleted one comes back, and the process starts again each time.
 */
import { expect, it, onTestFinished } from 'vitest'
import { keyedApi, makeFolder, sessionFor } from './support/folder.ts'
import { type RunningGateway, startGateway } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const rounds = 10
const lanes = 6

it('no acknowledged key is lost and no deleted one comes back', { timeout: 120_000 }, async () => {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder()
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  let gateway: RunningGateway | undefined
  onTestFinished(async () => {
    gateway?.child.kill('SIGKILL')
    await gateway?.ended
    await upstream.close()
    folder.remove()
  })

  // What may be found under each name: one thing after a response, two while a call was under way.
  const allowed = new Map<string, Set<string>>()
  const acknowledged = { stored: 0, deleted: 0 }
  let version = 0
  const change = async (to: RunningGateway, id: string) => {
    const before = allowed.get(id) ?? new Set(['absent'])
    const alias = Math.random() < 0.35 ? 'absent' : `v${++version}`
    allowed.set(id, new Set([...before, alias]))
    const path = `/svc/keys/${id}`
    const { status } =
      alias === 'absent'
        ? await to.manage('DELETE', `${path}?org_id=acme`)
        : await to.manage('POST', path, { ...sessionFor('keyed'), alias })
    // A key that was not there cannot be deleted; everything else is acknowledged.
    expect(alias === 'absent' ? [200, 404] : [200]).toContain(status)
    allowed.set(id, new Set([alias]))
    acknowledged[alias === 'absent' ? 'deleted' : 'stored']++
  }

  for (let round = 0; round < rounds; round++) {
    gateway = await startGateway(folder)
    const running = gateway
    for (const [id, states] of allowed) {
      const { status, body } = await running.manage('GET', `/svc/keys/${id}?org_id=acme`)
      const found = status === 200 ? (body as { alias: string }).alias : 'absent'
      expect([...states], `${id} after ${round} kills`).toContain(found)
      allowed.set(id, new Set([found]))
      const response = await fetch(`${running.url}/keyed/x`, { headers: { Authorization: id } })
      expect(response.status, id).toBe(found === 'absent' ? 403 : 200)
    }
    let killed = false
    const lane = async (number: number) => {
      while (!killed) await change(running, `key-${number}-${Math.floor(Math.random() * 5)}`)
    }
    const work = Array.from({ length: lanes }, (_, i) =>
      lane(i).catch((cause: unknown) => {
        if (!killed) throw cause
      }),
    )
    // Kills after a random number of calls, not after a time, in which a busy machine may respond to none.
    const enough = acknowledged.stored + acknowledged.deleted + 10 + Math.random() * 30
    while (acknowledged.stored + acknowledged.deleted < enough) await new Promise((resolve) => setTimeout(resolve, 1))
    killed = true
    running.child.kill('SIGKILL')
    expect(await running.ended).toBe('SIGKILL')
    await Promise.all(work)
  }
  expect(acknowledged.stored).toBeGreaterThan(rounds * 5)
  expect(acknowledged.deleted).toBeGreaterThan(rounds * 2)
})
