/** Says in sentences why a request got its response. */
import type { LimitReading, RejectionReason, RequestRecord } from '@turnpike/core/pipeline'

/** What the stages said about a request. */
export interface OutcomeFacts {
  readonly limits: readonly LimitReading[]
  /** Which policy, key or API decided; `undefined`: no stage rejected the request, or the viewer may not know. */
  readonly why: RejectionReason | undefined
}

/** `now`: Unix ms, for the time until a limit has room again. */
export function explainOutcome(entry: RequestRecord, { limits, why }: OutcomeFacts, now: number): string[] {
  const { rejection, status, upstreamAddress } = entry
  if (entry.apiId === '' && status === 404) return ['No API is served at this host and path.']
  if (rejection !== undefined) {
    const stage = rejection.stage === '' ? 'The gateway' : `The stage ${rejection.stage}`
    const exceeded = limits.find(({ allowed }) => !allowed)
    return [
      `${stage} rejected the request with ${status}: ${rejection.message}.`.replace(/\.\.$/, '.'),
      reasonSentence(exceeded, why, now),
      upstreamAddress === '' ? 'No request was sent to the upstream.' : '',
    ].filter((sentence) => sentence !== '')
  }
  if (entry.cache === 'hit') return ['The response came from the cache. No request was sent to the upstream.']
  if (upstreamAddress === '') return [`All stages passed, and the gateway responded with ${status} itself.`]
  if (status >= 500) return [`All stages passed. The upstream responded with ${status} after ${entry.upstreamMs} ms.`]
  return [`All stages passed, and the upstream responded after ${entry.upstreamMs} ms.`]
}

/** Names the policy or the key that decided, if it is known. */
function reasonSentence(exceeded: LimitReading | undefined, why: RejectionReason | undefined, now: number): string {
  if (why !== undefined && why.limit === undefined) return sentence(why.message)
  if (exceeded === undefined) return ''
  return why?.limit === undefined
    ? limitSentence(exceeded, now)
    : `${sentence(why.limit)}${retryText(why.retryAt, now)}`
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

const owners = { key: 'the key', organisation: 'the organisation', api: 'the API' } as const

function limitSentence({ kind, owner, endpoint, max, seconds, resetsAt }: LimitReading, now: number): string {
  const what = `The ${kind} of ${owners[owner]}${endpoint === '' ? '' : ` on ${endpoint}`}`
  const allows = `allows ${max} ${max === 1 ? 'request' : 'requests'}${seconds > 0 ? ` in ${seconds} s` : ''}`
  return `${what} ${allows}, and nothing was left.${retryText(resetsAt, now)}`
}

/** When to retry; `at` undefined: the limit never resets. */
function retryText(at: number | undefined, now: number): string {
  if (at === undefined) return ' It never resets.'
  const wait = Math.ceil((at - now) / 1000)
  return wait > 0 ? ` Retry in ${wait} s.` : ' There is room again now.'
}
