/** SIGHUP reloads and does not end the process, with one process and with workers. */
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, openApi } from './support/folder.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

test('SIGHUP reloads the definitions of a running process', async () => {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder({ storage: { type: 'memory' } })
  onTestFinished(async () => {
    folder.remove()
    await upstream.close()
  })
  folder.write('apps/one.json', openApi('one', upstream.url))
  const gateway = await startForTest(folder, ['--no-watch'])
  const statusOf = async (path: string) => (await fetch(gateway.url + path)).status
  expect([await statusOf('/one/'), await statusOf('/two/')]).toEqual([200, 404])
  folder.write('apps/two.json', openApi('two', upstream.url))
  gateway.child.kill('SIGHUP')
  await expect.poll(() => statusOf('/two/'), { timeout: 10_000 }).toBe(200)
  for (let i = 0; i < 5; i++) gateway.child.kill('SIGHUP')
  expect(await statusOf('/one/')).toBe(200)
  expect(gateway.isAlive()).toBe(true)
  expect(await gateway.stop()).toBe(0)
})
