import { utf8Text } from '@turnpike/core/lib'
import type { Cancel, UpstreamError, UpstreamRequest } from '@turnpike/core/ports'
import { describe, expect, it } from 'vitest'
import { makeGrantNotifier } from './grant-notification.ts'

const issued = { authCode: 'c', accessToken: 't', refreshToken: 'r', oldRefreshToken: '', type: 'new' } as const
const away: UpstreamError = { kind: 'error', reason: 'refused', cause: undefined }

/** `answers`: the server's responses, in order; afterwards it responds with 200. */
function setUp(responses: readonly (number | 'away')[], url = 'http://owner.test/hook?x=1') {
  const asked: UpstreamRequest[] = []
  const planned: { ms: number; fn: () => void }[] = []
  const lines: string[] = []
  const note = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  const link = {
    release() {},
    async send(request: UpstreamRequest) {
      const response = responses[asked.push(request) - 1] ?? 200
      if (response === 'away') return away
      return { kind: 'response' as const, status: response, headers: [], body: undefined, bodyLength: 0 }
    },
  }
  const notify = makeGrantNotifier(
    { id: 'a', url, sharedSecret: 'shared' },
    {
      links: { use: (_, step) => step(link), close() {} },
      clock: {
        after(ms: number, fn: () => void): Cancel {
          planned.push({ ms, fn })
          return () => undefined
        },
      },
      log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
      vendor: 'svc',
    },
  )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { notify, asked, planned, lines, settle }
}

describe('the notification of a grant', () => {
  it('is posted with the shared secret', async () => {
    const { notify, asked, settle } = setUp([])
    notify?.({ ...issued, type: 'refresh', oldRefreshToken: 'o' })
    await settle()
    const [request] = asked
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=1' })
    expect(request?.headers).toEqual(expect.arrayContaining(['x-svc-shared-secret', 'shared']))
    expect(JSON.parse(utf8Text(request?.body as Uint8Array))).toEqual({
      auth_code: 'c',
      new_oauth_token: 't',
      refresh_token: 'r',
      old_refresh_token: 'o',
      notification_type: 'refresh',
    })
  })

  it('is retried three times after 10 s each, then dropped; no token is logged', async () => {
    const { notify, asked, planned, lines, settle } = setUp(['away', 500, 404, 'away', 200])
    notify?.({ ...issued, accessToken: 'TOKEN', refreshToken: 'TOKEN', authCode: 'TOKEN' })
    await settle()
    for (let i = 0; i < 3; i += 1) {
      expect(planned[i]?.ms).toBe(10_000)
      planned[i]?.fn()
      await settle()
    }
    expect([asked.length, planned.length]).toEqual([4, 3])
    expect(lines.map((line) => line.split(' ', 1)[0])).toEqual(['warn', 'warn', 'warn', 'error'])
    expect(lines.join()).not.toContain('TOKEN')
  })

  it('ends with the first attempt that succeeds', async () => {
    const { notify, asked, planned, settle } = setUp(['away'])
    notify?.(issued)
    await settle()
    planned[0]?.fn()
    await settle()
    expect([asked.length, planned.length]).toEqual([2, 1])
  })

  it('is not sent without a valid URL', () => {
    expect(setUp([], '').notify).toBeUndefined()
    const { notify, lines } = setUp([], 'nowhere')
    expect(notify).toBeUndefined()
    expect(lines[0]).toContain('error')
  })
})
