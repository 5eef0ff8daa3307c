/**
 * Property 19, on the log of what happened. Every answer of the upstream tells what it was made for and is made once, so
 * whoever gets one a second time got it from the cache.
 */
import type { Millis } from '@turnpike/core'
import { type CacheAsk, type CacheCase, cacheCases, showCacheCase } from './cache-cases.ts'
import type { CacheSubject, CacheUnderTest, MadeFor } from './cache-subject.ts'
import { makeProperty } from './property.ts'

export const cacheProperty = makeProperty<CacheSubject, CacheCase>({
  number: 19,
  name: 'cache',
  statement:
    "Two requests with equal cache keys get equal bodies until the timeout; no request gets an answer made for another API, another key's scope where the key matters, or after an acknowledged invalidation.",
  cases: cacheCases,
  requestsOf: ({ steps }) => steps.filter(({ kind }) => kind === 'ask').length,
  show: showCacheCase,
  async check(subject, propertyCase) {
    const log = await play(await subject.make(), propertyCase)
    for (const asked of log.asked) {
      const wrong = madeForAnother(asked, subject) ?? madeTooEarly(asked, log) ?? judgeCaching(asked, log, subject)
      if (wrong !== undefined) return `step ${asked.step}: ${wrong}`
    }
    return undefined
  },
})

interface Asked {
  readonly step: number
  readonly wish: CacheAsk
  readonly startedAt: Millis
  endedAt: Millis
  /** The step at which it had ended. */
  endedBefore: number
  made: MadeFor
}

interface Emptied {
  readonly step: number
  readonly api: string
  /** Answers that the upstream had begun when the invalidation was asked for. */
  readonly begun: number
}

interface CacheLog {
  readonly asked: readonly Asked[]
  readonly emptied: readonly Emptied[]
}

async function play(underTest: CacheUnderTest, { steps }: CacheCase): Promise<CacheLog> {
  const asked: Asked[] = []
  const emptied: Emptied[] = []
  const underWay: Promise<void>[] = []
  let at = 0
  for (const step of steps) {
    if (step.kind === 'empty') {
      const begun = underTest.begun()
      await underTest.empty(step.api)
      emptied.push({ step: at, api: step.api, begun })
    } else if (step.kind === 'ask') {
      const entry = { step: at, wish: step, startedAt: underTest.now() } as Asked
      const answered = underTest.ask(step).then((made) => {
        Object.assign(entry, { made, endedAt: underTest.now(), endedBefore: at + 1 })
      })
      asked.push(entry)
      underWay.push(answered)
      await underTest.wait(0)
    } else await underTest.wait(step.ms)
    at += 1
  }
  await Promise.all([underTest.wait(10_000), ...underWay])
  return { asked, emptied }
}

function madeForAnother({ wish, made }: Asked, { personal }: CacheSubject): string | undefined {
  if (made.api !== wish.api) return `${wish.api} gave an answer made by ${made.api}`
  if (made.path !== wish.path) return `${wish.path} got an answer made for ${made.path}`
  if (made.lang !== wish.lang) return `${wish.lang} got an answer made for ${made.lang}`
  if (personal && made.key !== wish.key) return `${wish.key} got an answer made for ${made.key}`
  return undefined
}

function madeTooEarly({ step, wish, made }: Asked, { emptied }: CacheLog): string | undefined {
  const later = emptied.find((one) => one.api === wish.api && one.step < step && made.index < one.begun)
  return later === undefined ? undefined : `answer ${made.index} is given after it was made void in step ${later.step}`
}

/** Whether it was right to take it from the cache, or not to. */
function judgeCaching(asked: Asked, log: CacheLog, subject: CacheSubject): string | undefined {
  const { made, startedAt, step } = asked
  const first = log.asked.find((one) => one.made.index === made.index) as Asked
  const before = log.asked.filter((one) => isLikewise(one.wish, asked.wish, subject) && one.endedBefore <= step)
  if (first !== asked) {
    if (startedAt >= first.endedAt + subject.livesAtMostMs) return `answer ${made.index} is given past its time`
    const last = before.at(-1)
    const changed = log.asked.some(
      (one) => isLikewise(one.wish, asked.wish, subject) && one.endedBefore > (last?.step ?? 0) && isFirst(one, log),
    )
    if (last === undefined || last.made.index === made.index || changed) return undefined
    return `answer ${made.index} is given, where answer ${last.made.index} was given before`
  }
  const usable = before.find((one) => isFirst(one, log) && isUsable(one, asked, log, subject))
  return usable === undefined ? undefined : `the upstream was asked, though answer ${usable.made.index} was still good`
}

function isFirst(asked: Asked, { asked: all }: CacheLog): boolean {
  return all.find((one) => one.made.index === asked.made.index) === asked
}

function isUsable(earlier: Asked, now: Asked, { emptied }: CacheLog, { livesAtLeastMs }: CacheSubject): boolean {
  // From the asking, since that is where RFC 9111 begins to count an answer's age (4.2.3).
  if (now.startedAt >= earlier.startedAt + livesAtLeastMs) return false
  return !emptied.some(({ api, step }) => api === now.wish.api && step > earlier.step && step < now.step)
}

/** Whether two requests have one cache key. */
function isLikewise(one: CacheAsk, other: CacheAsk, { personal }: CacheSubject): boolean {
  if (one.api !== other.api || one.path !== other.path || one.lang !== other.lang) return false
  return !personal || one.key === other.key
}
