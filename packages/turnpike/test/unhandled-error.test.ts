/** The last line of defence: an error that no code handles is logged, open requests finish, and the process ends with 1. */
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder, openApi } from './support/folder.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

const onSignal = (act: string) => `--import=data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(act)}})`

it.each([
  ['a rejected promise', "Promise.reject(new Error('seeded'))"],
  ['an exception', "throw new Error('seeded')"],
])('%s', { timeout: 60_000 }, async (_, act) => {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder({ graceful_shutdown_timeout_duration: 5 })
  onTestFinished(async () => {
    await upstream.close()
    folder.remove()
  })
  folder.write('apps/open.json', openApi('open', upstream.url))
  const gateway = await startForTest(folder, [], { environment: { NODE_OPTIONS: onSignal(act) } })
  const open = fetch(`${gateway.url}/open/x?delay=700`)
  await expect.poll(() => upstream.seen.length).toBe(1)
  gateway.child.kill('SIGUSR2')
  expect((await open).status).toBe(200)
  expect(await gateway.ended).toBe(1)
  expect(gateway.err().match(/nothing handled this error/g)).toHaveLength(1)
  expect(gateway.err()).toContain('seeded')
})
