/** The switch that puts stages that do nothing between all stages: they are there, and nobody else notices. */
import { expect, it, onTestFinished } from 'vitest'
import { keyedApi, makeFolder, sessionFor } from './support/folder.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

it.each<[Record<string, string>, boolean]>([
  [{ TURNPIKE_NOOP_STAGES: '1' }, true],
  [{}, false],
])('%j', async (environment, wanted) => {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder()
  onTestFinished(async () => {
    await upstream.close()
    folder.remove()
  })
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  const gateway = await startForTest(folder, [], { environment })
  await gateway.manage('POST', '/svc/keys/anna', { ...sessionFor('keyed'), rate: 2, per: 100 })
  const { body } = await gateway.manage('POST', '/svc/explain', {
    method: 'GET',
    path: '/keyed/x',
    headers: { Authorization: 'anna' },
    dry: true,
  })
  const stages = (body as { stages: { stage: string }[] }).stages.map(({ stage }) => stage)
  expect(stages.filter((stage) => stage === 'noop').length > stages.length / 3).toBe(wanted)
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) {
    statuses.push((await fetch(`${gateway.url}/keyed/x`, { headers: { Authorization: 'anna' } })).status)
  }
  expect(statuses).toEqual([200, 200, 429])
})
