/** Retry-After: a request at the stated time is admitted, and one before it is rejected. */
import type { HeaderFields } from '../http/raw-client.ts'
import { slackMs } from '../models/model.ts'
import type { Exchange, Group, History, Statement, Step } from '../trace/trace-and-history.ts'

/** When to retry, in ms after the response, with what the resolution of seconds leaves open. */
export interface StatedRetry {
  readonly earliestMs: number
  readonly latestMs: number
  readonly text: string
}

/** Reads Retry-After (RFC 9110, section 10.2.3): seconds or a date. */
export function statedRetry(headers: HeaderFields, answeredAt: number): StatedRetry | undefined {
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) {
    const ms = Number(text) * 1000
    return { earliestMs: ms - 1000, latestMs: ms, text: `${text} s` }
  }
  const date = Date.parse(text)
  if (Number.isNaN(date)) return undefined
  const sent = Date.parse(headers['date'] ?? '')
  const ms = date - (Number.isNaN(sent) ? answeredAt : sent)
  return { earliestMs: ms - 2000, latestMs: ms + 1000, text: `in ${Math.round(ms / 1000)} s (${text})` }
}

/** After a rejection, adds one request at the time that the rejection states. */
export function retryAtStatedTime(groups: readonly Group[], startedAt: number): Step | undefined {
  const last = groups.at(-1)
  const exchange = last?.exchanges[0]
  // Only the first rejected request is repeated, and once.
  if (last === undefined || exchange === undefined || exchange.admitted || last.step > 0) return undefined
  const stated = statedRetry(exchange.headers, exchange.answeredAt)
  if (stated === undefined) return undefined
  const atMs = exchange.answeredAt - startedAt + Math.max(stated.latestMs, 20) + 40
  return { atMs: Math.ceil(atMs), count: 1, together: false }
}

/** Compares what rejections state with later requests of the client. */
export function retryStatements(history: History): readonly Statement[] {
  const statements = new Map<string, Statement>()
  const singles = history.groups.map(({ count, exchanges }) => (count === 1 ? exchanges[0] : undefined))
  singles.forEach((rejection, i) => {
    if (rejection === undefined || rejection.admitted) return
    const stated = statedRetry(rejection.headers, rejection.answeredAt)
    if (stated === undefined) return
    const found = tooLong(stated, rejection, singles, i) ?? tooShort(stated, rejection, singles, i)
    if (found !== undefined && !statements.has(found.mistake)) statements.set(found.mistake, found)
  })
  return [...statements.values()]
}

function tooLong(
  stated: StatedRetry,
  rejection: Exchange,
  singles: readonly (Exchange | undefined)[],
  i: number,
): Statement | undefined {
  for (let j = i + 1; j < singles.length; j += 1) {
    const later = singles[j]
    if (later?.admitted !== true) continue
    const after = later.answeredAt - rejection.sentAt
    if (after >= stated.earliestMs - slackMs(stated.earliestMs)) return undefined
    const text = `a rejection says to retry after ${stated.text}, but a request ${Math.round(after)} ms later is admitted`
    return { text, group: j, mistake: 'Retry-After too long' }
  }
  return undefined
}

function tooShort(
  stated: StatedRetry,
  rejection: Exchange,
  singles: readonly (Exchange | undefined)[],
  i: number,
): Statement | undefined {
  const next = singles[i + 1]
  if (next === undefined || next.admitted) return undefined
  const after = next.sentAt - rejection.answeredAt
  // A request right behind the rejection of "retry after 0 s" may be in the same instant.
  if (after < Math.max(stated.latestMs, 20) + slackMs(stated.latestMs)) return undefined
  const text = `a rejection says to retry after ${stated.text}, but a request ${Math.round(after)} ms later is rejected`
  return { text, group: i + 1, mistake: 'Retry-After too short' }
}
