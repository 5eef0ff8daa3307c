/** Formats the report of a comparison for a terminal. */
import { describeDifference } from './compare-responses.ts'
import type { FoundDifference, TraceReport } from './compare-traces.ts'
import type { ClientRequest } from './exchange.ts'

export interface DescribeOptions {
  /** The names of the gateways. */
  readonly left: string
  readonly right: string
  /** Lines to print below a difference. Default: none. */
  more?(difference: FoundDifference): readonly string[]
}

/** Formats a report as lines. */
export function describeReport(report: TraceReport, options: DescribeOptions): string {
  const { same, traces, requests, differences, isCutShort } = report
  const { left, right, more } = options
  const size = `${traces} traces with ${requests} requests${isCutShort ? ', ended by the time limit' : ''}`
  if (same) return `${left} and ${right} respond alike (${size})`
  const kinds = differences.length === 1 ? '1 difference' : `${differences.length} kinds of differences`
  return [
    `${left} and ${right} differ: ${kinds} (${size})`,
    ...differences.flatMap((difference, index) => [
      ...describeFound(difference, index + 1),
      ...(more?.(difference) ?? []).map((line) => `     ${line}`),
    ]),
  ].join('\n')
}

function describeFound(difference: FoundDifference, number: number): string[] {
  const { trace, count, isRepeatable } = difference
  const last = trace.length - 1
  const times = count === 1 ? 'once' : `${count} times`
  return [
    `${number}. ${describeDifference(difference)} (${times})`,
    ...trace.flatMap(({ waitMs, request }, index) => describeStep(waitMs, request, index === last)),
    ...(isRepeatable ? [] : ['     did not occur again on the same trace']),
  ]
}

function describeStep(waitMs: number, request: ClientRequest, isLast: boolean): string[] {
  const wait = waitMs > 0 ? `after ${waitMs} ms ` : ''
  const headers = request.headers.map(([name, value]) => ` ${name}: ${value}`).join(',')
  const lines = [`     ${wait}${request.method} ${request.url}${headers}${isLast ? '  <- here' : ''}`]
  if (request.body !== undefined && request.body.byteLength > 0) lines.push(`       ${describeBody(request.body)}`)
  return lines
}

const maxShown = 2000

/** The text of a body, on one line. Bytes that are not UTF-8 are shown as base64. */
function describeBody(body: Uint8Array): string {
  let text: string
  try {
    text = JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    text = `base64 ${Buffer.from(body).toString('base64')}`
  }
  return text.length > maxShown ? `${text.slice(0, maxShown)}… (${body.byteLength} bytes)` : text
}
