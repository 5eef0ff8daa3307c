/** Says in sentences why a request got its response. */
import type { LimitReading, RequestRecord } from '@turnpike/core'

/** `now`: Unix ms, for the time until a limit has room again. */
export function explainOutcome(entry: RequestRecord, limits: readonly LimitReading[], now: number): string[] {
  const { rejection, status, upstreamAddress } = entry
  if (entry.apiId === '' && status === 404) return ['No API is served at this host and path.']
  if (rejection !== undefined) {
    const stage = rejection.stage === '' ? 'The gateway' : `The stage ${rejection.stage}`
    const exceeded = limits.find(({ allowed }) => !allowed)
    return [
      `${stage} rejected the request with ${status}: ${rejection.message}.`.replace(/\.\.$/, '.'),
      ...(exceeded === undefined ? [] : [limitSentence(exceeded, now)]),
      upstreamAddress === '' ? 'No request was sent to the upstream.' : '',
    ].filter((sentence) => sentence !== '')
  }
  if (entry.cache === 'hit') return ['The response came from the cache. No request was sent to the upstream.']
  if (upstreamAddress === '') return [`All stages passed, and the gateway responded with ${status} itself.`]
  if (status >= 500) return [`All stages passed. The upstream responded with ${status} after ${entry.upstreamMs} ms.`]
  return [`All stages passed, and the upstream responded after ${entry.upstreamMs} ms.`]
}

const owners = { key: 'the key', organisation: 'the organisation', api: 'the API' } as const

function limitSentence({ kind, owner, endpoint, max, seconds, resetsAt }: LimitReading, now: number): string {
  const what = `The ${kind} of ${owners[owner]}${endpoint === '' ? '' : ` on ${endpoint}`}`
  const allows = `allows ${max} ${max === 1 ? 'request' : 'requests'}${seconds > 0 ? ` in ${seconds} s` : ''}`
  const wait = resetsAt === undefined ? 0 : Math.ceil((resetsAt - now) / 1000)
  const again =
    resetsAt === undefined ? '' : wait > 0 ? ` There is room again in ${wait} s.` : ' There is room again now.'
  return `${what} ${allows}, and nothing was left.${again}`
}
