/** The report of a comparison as text and as JSON. */
import {
  type ClientRequest,
  type Difference,
  describeDifference,
  describeReport,
  type FoundDifference,
  neverCompared,
  type Sighting,
  type TraceReport,
  type TraceStep,
  utf8Text,
} from '@turnpike/exchange'
import type { CertificateOptions } from '../http/certificate-check.ts'
import { curlLine } from './compare-curl.ts'
import type { StatusCounts } from './gateway-pair.ts'

export interface Comparison {
  readonly urls: readonly [string, string]
  readonly report: TraceReport
  readonly statuses: readonly [StatusCounts, StatusCounts]
  readonly notCompared: readonly { readonly what: string; readonly why: string }[]
  readonly allHeaders: boolean
  readonly certificates: CertificateOptions
  /** Adds the key of a client and the headers of all requests. */
  asSent(request: ClientRequest): ClientRequest
}

/** Why the comparison shows nothing, or `undefined`. */
export function whyVacuous({ report, statuses }: Comparison): string | undefined {
  if (report.traces === 0) return `nothing was compared: ${report.endedBy ?? 'there are no requests'}`
  const isUseful = statuses.some((counts) => [...counts.keys()].some((status) => status < 400))
  if (!report.same || isUseful) return undefined
  return 'nothing was compared: every response has a status from 400 on; name a path that both serve, or a key with --key-header'
}

/** Differences that repetitions showed again. */
export const repeatable = ({ report }: Comparison) => report.differences.filter(({ isRepeatable }) => isRepeatable)

const maxOthers = 10
/** A longer curl line is not printed, but part of the JSON. */
const maxCurl = 3000

export function comparisonText(comparison: Comparison): string {
  const { urls, report, statuses, notCompared, allHeaders } = comparison
  const [left, right] = urls
  const vacuous = whyVacuous(comparison)
  const once = report.differences.length - repeatable(comparison).length
  return [
    describeReport(report, { left, right, more: (difference) => linesBelow(difference, comparison) }),
    ...notCompared.map(({ what, why }) => `not compared: ${what}: ${why}`),
    ...(allHeaders ? [] : [`not compared: the headers ${neverCompared.join(', ')} (--all-headers)`]),
    ...urls.map((url, side) => `statuses of ${url}: ${statusLine(statuses[side] as StatusCounts)}`),
    ...(once === 0 ? [] : [`differences that did not occur again, and do not change the exit code: ${once}`]),
    ...(vacuous === undefined ? [] : [vacuous]),
  ].join('\n')
}

function statusLine(counts: StatusCounts): string {
  const sorted = [...counts].toSorted(([a], [b]) => a - b)
  return sorted.length === 0 ? 'none' : sorted.map(([status, count]) => `${count} × ${status}`).join(', ')
}

function linesBelow(difference: FoundDifference, comparison: Comparison): readonly string[] {
  const { trace, isVarying, traceId } = difference
  const line = curlLine(comparison, trace)
  return [
    `first seen with: ${traceId}`,
    ...(isVarying ? [`the values change with each request; ignore them with ${maskOf(difference)}`] : []),
    `curl: ${line.length > maxCurl ? `${line.length} characters, see --json` : line}`,
    ...otherLines(difference),
  ]
}

/** Traces with the same values are one line, each of the others has its own. */
function otherLines(difference: FoundDifference): readonly string[] {
  const text = describeDifference(difference)
  const others = othersOf(difference)
  const same = others.filter((one) => describeDifference(one.difference) === text)
  const different = others.filter((one) => !same.includes(one))
  const names = same.slice(0, maxOthers).map(({ traceId }) => traceId)
  const left = same.length + different.length - names.length - Math.min(different.length, maxOthers)
  return [
    ...(names.length === 0 ? [] : [`also with: ${names.join('; ')}`]),
    ...different.slice(0, maxOthers).map((one) => `with ${one.traceId}: ${requestText(one)}: ${shortened(one)}`),
    ...(left === 0 ? [] : [`also with ${left} other requests, see --json`]),
  ]
}

/** The first sighting of each other trace. */
function othersOf({ sightings, traceId }: FoundDifference): readonly Sighting[] {
  const seen = new Set([traceId])
  return sightings.filter((one) => !seen.has(one.traceId) && seen.add(one.traceId))
}

function requestText({ trace }: Sighting): string {
  const { method, url } = (trace.at(-1) as TraceStep).request
  return `${method} ${url.length > 80 ? `${url.slice(0, 80)}…` : url}`.trimEnd()
}

function shortened({ difference }: Sighting): string {
  const text = describeDifference(difference)
  return text.length > 240 ? `${text.slice(0, 240)}…` : text
}

/** The option that ignores a difference. */
function maskOf({ part, name }: Difference): string {
  if (part === 'header') return `--mask header:${name}`
  if (part === 'body') return name === '' ? "--mask 'body:/PATTERN/'" : `--mask 'json:${name}'`
  return `--mask ${part}`
}

/** The report for programs. */
export function comparisonJson(comparison: Comparison): object {
  const { urls, report, statuses, notCompared } = comparison
  const { traces, requests, endedBy, differences } = report
  const [left, right] = statuses.map((counts) => Object.fromEntries(counts))
  const vacuous = whyVacuous(comparison)
  return {
    urls,
    same: repeatable(comparison).length === 0,
    traces,
    requests,
    ...(endedBy !== undefined && { endedBy }),
    ...(vacuous !== undefined && { vacuous }),
    statuses: [left, right],
    notCompared,
    differences: differences.map((difference) => toWireDifference(difference, comparison)),
  }
}

function toWireDifference(found: FoundDifference, comparison: Comparison): object {
  const { sightings, trace, count, isRepeatable, isVarying, traceId, ...difference } = found
  return {
    ...difference,
    count,
    repeatable: isRepeatable,
    varying: isVarying,
    firstSeenWith: traceId,
    steps: trace.map(toWireStep),
    curl: curlLine(comparison, trace),
    originalCurl: curlLine(comparison, (sightings[0] as Sighting).trace),
    others: sightings.slice(1).map((one) => ({
      seenWith: one.traceId,
      request: requestText(one),
      left: one.difference.left,
      right: one.difference.right,
      curl: curlLine(comparison, one.trace),
    })),
  }
}

function toWireStep({ waitMs, request: { method, url, headers, body } }: TraceStep): object {
  const step = { waitMs, method, url, headers }
  if (body === undefined) return step
  const text = utf8Text(body)
  return { ...step, ...(text === undefined ? { bodyBase64: Buffer.from(body).toString('base64') } : { body: text }) }
}
