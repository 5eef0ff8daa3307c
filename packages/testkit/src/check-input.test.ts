/** Public functions reject wrong input at once: the message has the function, the value and what it must be. */
import { describe, expect, it } from 'vitest'
import { rateCases } from './arbitraries/rate-cases.ts'
import { stepCodes, traces } from './arbitraries/traces.ts'
import { InputError } from './check-input.ts'
import { startLimitedGateway } from './http-gateways/http-gateways.ts'
import { makeGcra } from './limiters/gcra.ts'
import { makeLeakyMeter } from './limiters/leaky-meter.ts'
import { makeSlidingCounter } from './limiters/sliding-counter.ts'
import { makeTokenBucket } from './limiters/token-bucket.ts'
import { busiestWindow } from './matchers/busiest-window.ts'
import './matchers/matchers.ts'
import { storeMutants } from './mutants/store-mutants.ts'
import { caseStatistics } from './properties/case-statistics.ts'
import { checkProperty, expectProperty } from './properties/property.ts'
import { rollingLogProperty } from './properties/property-01-rolling-log.ts'
import { memoryHarness } from './properties/store-harness.ts'
import { storeProperties } from './properties/store-properties.ts'
import { engineBatches } from './properties/subjects/batch-subject.ts'
import { engineCache } from './properties/subjects/cache-subject.ts'
import { compatibleRate } from './properties/subjects/compatible-rates.ts'
import { engineKeys } from './properties/subjects/keys-subject.ts'
import { startRedisCluster } from './redis-server/redis-cluster.ts'
import { startRedisSentinel } from './redis-server/redis-sentinel.ts'
import { startRedisServer } from './redis-server/redis-server.ts'
import { makeVirtualClock } from './virtual-clock.ts'

const rate = compatibleRate('rolling')
const seen = [{ at: 0, status: 200 }]
const check = (run: object) => checkProperty(rollingLogProperty, rate, run)
/** As a program without types calls it. */
// biome-ignore lint/suspicious/noExplicitAny: wrong input is what the tests are about
const wrong = (value: unknown) => value as any

describe('wrong input is rejected', () => {
  it.each<[string, () => unknown, string]>([
    [
      'no subject',
      () => checkProperty(rollingLogProperty, wrong(undefined)),
      'checkProperty: the subject is undefined',
    ],
    [
      'no property',
      () => expectProperty(wrong({}), rate),
      'checkProperty: the property is {}; it must be an object with',
    ],
    ['no requests', () => check({ requests: 0 }), 'checkProperty: requests is 0; it must be a whole number from 1 on'],
    ['a text as seed', () => check({ seed: '1' }), 'checkProperty: seed is "1"; it must be a whole number'],
    ['an unknown option', () => check({ runs: 5 }), 'option runs is unknown; the options are: requests, seed, shrink'],
    [
      'a path without seed',
      () => check({ path: '0:1' }),
      'path is given without seed; pass the seed of the same report',
    ],
    ['a wrong path', () => check({ seed: 1, path: 'a' }), 'path is "a"; it must be the path of a report'],
    ['no list', () => expect('seen').toAdmitAtMost(1), 'toAdmitAtMost: expects a list of requests'],
    ['no instant', () => expect([{ status: 200 }]).toAdmitAtMost(1), 'request 0 has no instant; set at, in ms'],
    ['no result', () => expect([{ at: 0 }]).toAdmitAtMost(1), 'request 0 has no result; set allowed, or status'],
    ['a text', () => expect([{ at: 0, status: '200' }]).toAdmitAtMost(1), 'status is "200"; it must be a status'],
    ['half a request', () => expect(seen).toAdmitAtMost(0.5), 'the number of requests is 0.5; it must be a whole'],
    ['no window', () => expect(seen).toAdmitAtMost(1).inAny(wrong(undefined)), 'inAny: the window in ms is undefined'],
    ['no trace', () => expect({}).toBeRejectedBy('auth-token'), 'toBeRejectedBy: expects what engine.explain'],
    ['no stage', () => expect({ stages: [] }).toBeRejectedBy(''), 'toBeRejectedBy: the stage is ""'],
    ['a window of 0', () => busiestWindow([], 0), 'busiestWindow: the window in ms is 0; it must be a number above 0'],
    ['a date', () => makeVirtualClock(wrong(new Date(0))), 'makeVirtualClock: the start is "1970-01-01T00:00:00.000Z"'],
    ['time back', () => makeVirtualClock().advance(-1), 'advance: the time is -1; it must be a number of at least 0'],
    ['no time', () => makeVirtualClock().run(Number.NaN), 'run: the time is NaN'],
    [
      'no instant to set',
      () => makeVirtualClock().set(wrong('now')),
      'set: the time is "now"; it must be a finite number',
    ],
    ['a burst of 0', () => makeTokenBucket({ count: 1, periodMs: 1, burst: 0 }), 'makeTokenBucket: burst is 0'],
    ['no burst', () => makeGcra(wrong({ count: 1, periodMs: 1 })), 'makeGcra: burst is missing'],
    ['a rate', () => makeLeakyMeter(wrong({ rate: 1, per: 1 })), 'makeLeakyMeter: option rate is unknown'],
    ['half a window', () => makeSlidingCounter({ most: 1, windowMs: 0.5 }), 'makeSlidingCounter: windowMs is 0.5'],
    ['many keys', () => rateCases({ keys: 40 }), 'rateCases: keys is 40; it must be a whole number from 1 to 26'],
    ['no shape', () => traces(0, wrong({ limit: 3 })), 'traces: windowMs is missing'],
    ['no steps', () => stepCodes(0), 'stepCodes: the maximum of steps is 0'],
    [
      'another algorithm',
      () => compatibleRate(wrong('leaky')),
      'compatibleRate: the algorithm is "leaky"; it must be one of',
    ],
    ['a wrong hash', () => engineKeys('k', wrong({ hashFunction: 'md5' })), 'engineKeys: hashFunction is "md5"'],
    ['a wrong mode', () => engineCache('c', wrong({ mode: 'rfc2616' })), 'engineCache: mode is "rfc2616"'],
    [
      'a wrong option',
      () =>
        engineBatches(
          'b',
          wrong(() => {}),
          wrong({ limit: {} }),
        ),
      'engineBatches: option limit is unknown',
    ],
    ['no harness', () => storeProperties(wrong({ name: 'mine' })), 'storeProperties: open is missing'],
    ['an unknown option', () => storeMutants(wrong({ ...memoryHarness, nodes: 3 })), 'storeMutants: option nodes'],
    ['nothing to limit', () => startLimitedGateway({}), 'startLimitedGateway: pass a rate or a quota'],
    [
      'no count',
      () => startLimitedGateway({ rate: wrong({ periodMs: 1 }) }),
      'startLimitedGateway: rate: count is missing',
    ],
    ['no port', () => startRedisServer({ port: -1 }), 'startRedisServer: port is -1'],
    ['two masters', () => startRedisCluster({ masters: 2 }), 'startRedisCluster: masters is 2'],
    ['an unknown option', () => startRedisSentinel(wrong({ replicas: 3 })), 'startRedisSentinel: option replicas'],
    ['no shapes', () => caseStatistics(wrong({ cases: [], number: 99, name: 'mine' })), 'names no shapes of its cases'],
    ['no cases', () => caseStatistics(rollingLogProperty, { cases: 0 }), 'caseStatistics: cases is 0'],
  ])('%s', async (_, call, message) => {
    const caught = await (async () => call())().then(
      () => undefined,
      (cause: unknown) => cause,
    )
    expect(caught).toBeInstanceOf(InputError)
    expect((caught as Error).message).toContain(message)
  })
})
