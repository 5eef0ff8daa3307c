/** A request with its stages, headers and limits, as the page shows it, without credentials. */
import type { HeaderPairs } from '@turnpike/core/http'
import type { TracedStage } from '@turnpike/core/pipeline'
import type { KeptRequest } from '../feed/request-ring.ts'
import type { Viewer } from '../sso/viewer.ts'
import { explainOutcome } from './explain-outcome.ts'
import { hiderOf, suggestsCredential } from './hide-credentials.ts'

/** Longer texts are cut. */
const maxTextLength = 2000

export interface ShownHeader {
  readonly name: string
  readonly value: string
}

export function showRequest({ id, entry, details }: KeptRequest, viewer: Viewer, now: number): object {
  const { original, limits, stages, why } = details
  const hide = hiderOf(details)
  return {
    id,
    at: entry.startedAt,
    method: entry.method.slice(0, 20),
    target: cut(hide(details.target)),
    hasBody: original.hasBody,
    api: entry.apiName === '' ? entry.apiId : entry.apiName,
    version: entry.version,
    status: entry.status,
    ms: entry.totalMs,
    upstreamMs: entry.upstreamMs,
    upstream: viewer.may('apis', 'read') ? entry.upstreamAddress : '',
    client: entry.clientAddress,
    key: viewer.may('keys', 'read') ? entry.keyLogName : '',
    cache: entry.cache ?? '',
    ...(entry.rejection === undefined ? {} : { rejection: entry.rejection }),
    // The owner of a limit has the permissions of "run again".
    why: explainOutcome(entry, { limits, why: viewer.may('apis', 'read') ? why : undefined }, now).map(hide),
    stages: showStages(stages, viewer, hide),
    limits,
    requestHeaders: showHeaders(details.requestHeaders, hide),
    responseHeaders: showHeaders(details.responseHeaders, hide),
  }
}

/** Notes name upstreams and counters, so they need the permission to read APIs. */
export function showStages(stages: readonly TracedStage[], viewer: Viewer, hide: Hide): object[] {
  const showsNotes = viewer.may('apis', 'read')
  return stages.map(({ stage, phase, verdict, micros, notes }) => ({
    ...{ stage, phase, verdict: cut(hide(verdict)), micros: Math.max(0, micros) },
    notes: showsNotes ? notes.map((note) => cut(hide(note))) : [],
  }))
}

type Hide = (text: string) => string

const mask = '[masked]'
/** Core has masked their values and keeps the names of cookies. */
const isCookie = (name: string) => /^(set-)?cookie$/i.test(name)

export function showHeaders(headers: HeaderPairs, hide: Hide): ShownHeader[] {
  const shown: ShownHeader[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    shown.push({
      name: cut(hide(name)),
      value: isCookie(name) ? cut(value) : suggestsCredential(name) ? mask : cut(hide(value)),
    })
  }
  return shown
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)} …` : text
}
