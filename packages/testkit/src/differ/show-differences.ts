/** Formats the report of a comparison for a terminal. */
import { describeDifference } from '../exchange/compare-responses.ts'
import type { ClientRequest } from '../exchange/exchange.ts'
import type { DifferReport, FoundDifference } from './differ.ts'

/** Formats a report as lines. `left` and `right` are the names of the gateways. */
export function showDifferences(report: DifferReport, left: string, right: string): string {
  const { same, traces, requests, differences, seed, isCutShort } = report
  const size = `${traces} traces with ${requests} requests${isCutShort ? ', ended by the time limit' : ''}`
  if (same) return `${left} and ${right} respond alike (${size})`
  const kinds = differences.length === 1 ? '1 difference' : `${differences.length} kinds of differences`
  return [
    `${left} and ${right} differ: ${kinds} (${size})`,
    ...differences.flatMap((difference, index) => showDifference(difference, index + 1, seed)),
  ].join('\n')
}

function showDifference(difference: FoundDifference, number: number, seed: number): string[] {
  const { trace, count, isRepeatable, path } = difference
  const last = trace.length - 1
  const times = count === 1 ? 'once' : `${count} times`
  return [
    `${number}. ${describeDifference(difference)} (${times})`,
    ...trace.flatMap(({ waitMs, request }, index) => showStep(waitMs, request, index === last)),
    ...(isRepeatable ? [] : ['     did not occur again on the same trace']),
    `     repeat with seed ${seed}, path "${path}"`,
  ]
}

function showStep(waitMs: number, request: ClientRequest, isLast: boolean): string[] {
  const wait = waitMs > 0 ? `after ${waitMs} ms ` : ''
  const headers = request.headers.map(([name, value]) => ` ${name}: ${value}`).join(',')
  const lines = [`     ${wait}${request.method} ${request.url}${headers}${isLast ? '  <- here' : ''}`]
  if (request.body !== undefined && request.body.byteLength > 0) lines.push(`       ${showBody(request.body)}`)
  return lines
}

const maxShown = 2000

/** The text of a body, on one line. Bytes that are not UTF-8 are shown as base64. */
function showBody(body: Uint8Array): string {
  let text: string
  try {
    text = JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    text = `base64 ${Buffer.from(body).toString('base64')}`
  }
  return text.length > maxShown ? `${text.slice(0, maxShown)}… (${body.byteLength} bytes)` : text
}
