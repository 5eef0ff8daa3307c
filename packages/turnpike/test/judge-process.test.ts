/** `judgeGateway` on a built process: keys of fresh clients come from the management API. */
import { expect, it } from 'vitest'
import { judgeGateway } from '../../judge/src/index.ts'
import { keyedApi, makeFolder, sessionFor } from './support/folder.ts'
import { startForTest } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

it('finds nothing wrong with the in-memory limiter, over HTTP', async () => {
  const upstream = await startRecordingUpstream()
  const folder = makeFolder({ rate_limit_response_headers: 'rate_limits' })
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  const gateway = await startForTest(folder)
  try {
    const judgement = await judgeGateway({
      url: `${gateway.url}/keyed/a`,
      limit: '3/1s',
      key: { header: 'Authorization' },
      async keys() {
        const session = { ...sessionFor('keyed'), rate: 3, per: 1 }
        return ((await gateway.manage('POST', '/svc/keys/create', session)).body as { key: string }).key
      },
      seconds: 20,
    })
    expect(judgement.holds, judgement.text).toBe(true)
    expect(judgement.kind.names).toEqual([expect.stringContaining('fixed window that starts with the first request')])
    expect(judgement.tried).toEqual(expect.arrayContaining(['calm', 'crowd', 'crowd-at-renewal', 'pace', 'drawn']))
  } finally {
    await gateway.stop()
    await upstream.close()
    folder.remove()
  }
})
