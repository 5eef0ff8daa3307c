/** The function `judgeGateway`, which code calls. */
import { afterAll, describe, expect, it } from 'vitest'
import { type GatewayToJudge, JudgeInputError, judgeGateway } from '../src/index.ts'
import { closeSmallGateways, fixedWindow, startSmallGateway } from './support/small-gateway.ts'

afterAll(closeSmallGateways)

const gateway = { url: 'http://127.0.0.1:1/', limit: '5/1s' }

describe.concurrent('judgeGateway', () => {
  it('judges with keys that code makes', async () => {
    const made: string[] = []
    const progress: string[] = []
    const judgement = await judgeGateway({
      url: await startSmallGateway(fixedWindow(5, 1000, 5)),
      limit: '5/1s',
      key: { header: 'X-Key' },
      keys: async (index) => {
        made.push(`made-${index}`)
        return made.at(-1)
      },
      seconds: 20,
      onProgress: (text) => void progress.push(text),
    })
    expect(judgement.holds).toBe(false)
    expect(judgement.findings).toContainEqual(expect.objectContaining({ attack: 'crowd', seen: 3 }))
    expect(judgement.text).toContain('contradicts its documentation (crowd)')
    expect(made).toContain(judgement.findings[0]?.client)
    expect(progress).toContainEqual(expect.stringContaining('attacks: pace'))
  })

  it('counts a text without {n} and {random} as one client, which rests between traces', async () => {
    const seen = new Set<string>()
    const limit = fixedWindow(2, 200)
    const url = await startSmallGateway((key, now, request) => {
      seen.add(key)
      return limit(key, now, request)
    })
    const judgement = await judgeGateway({ url, limit: '2/200ms', key: { header: 'X-Key' }, keys: 'only', seconds: 2 })
    // One client cannot make every attack within the time.
    expect([judgement.outcome, judgement.findings], judgement.text).toEqual(['undecided', []])
    expect([...seen]).toEqual(['only'])
  })

  it.each<[object, RegExp]>([
    [{ url: 3 }, /^url is 3; it must be a text$/],
    [{ url: undefined }, /^name the URL to judge, such as/],
    [{ limit: undefined }, /^name the limit to judge, such as 10\/60s$/],
    [{ limit: '10' }, /"10" is not a limit; write COUNT\/PERIOD/],
    [{ limits: '10/1s' }, /^option limits is unknown; the options are: url, limit, /],
    [{ kind: 'leaky' }, /^kind is "leaky"; it must be one of auto, fixed-window, /],
    [{ burst: 0 }, /^burst is 0; it must be a whole number from 1 on$/],
    [{ seconds: 1.5 }, /^seconds is 1.5; it must be a whole number/],
    [{ headers: { 'no name': 'x' } }, /^headers is {"no name":"x"}; it must be an object of names and texts/],
    [{ key: 'X-Key' }, /^key is "X-Key"; it must be { header: 'X-Key' }/],
    [{ key: { header: 'X-Key', query: 'key' } }, /^key is .*; it must be/],
    [{ keys: [] }, /^keys is \[\]; it must be a template/],
    [{ keys: ['a'] }, /^keys are given, but not where a request has its key: add key/],
    [{ byAddress: true, key: { query: 'key' } }, /^clients differ by key or by address, not both/],
    [{ spellings: ['acme.'] }, /^spellings is \["acme."\]; it must be a list of texts with {key}/],
    [{ batch: { path: '/batch' } }, /^batch is .*; it must be { path:/],
    [{ rejected: 429 }, /^rejected is 429; it must be a list of statuses/],
    [{ onProgress: true }, /^onProgress is true; it must be a function/],
    [{ url: 'http://192.0.2.1/' }, /192\.0\.2\.1, not this machine.*iOwnThisHost/],
    [{ key: { header: 'X-Key' }, keys: () => 7 }, /keys returned 7; it must return a key/],
    [{}, /127\.0\.0\.1:1\/ cannot be judged: connect ECONNREFUSED/],
  ])('rejects %j', async (wrong, message) => {
    const rejected = judgeGateway({ ...gateway, ...wrong } as GatewayToJudge)
    await expect(rejected).rejects.toThrow(JudgeInputError)
    await expect(rejected).rejects.toThrow(message)
  })

  it('rejects options that are not an object', async () => {
    await expect(judgeGateway('http://127.0.0.1:1/' as never)).rejects.toThrow(/^pass an object, such as { url/)
  })
})
