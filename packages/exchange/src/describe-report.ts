/** Formats the report of a comparison for a terminal. */

import type { TraceStep } from './client-messages.ts'
import { describeDifference } from './compare-responses.ts'
import type { FoundDifference, TraceReport } from './compare-traces.ts'

export interface DescribeOptions {
  /** The names of the gateways. */
  readonly left: string
  readonly right: string
  /** Lines to print below a difference. Default: none. */
  more?(difference: FoundDifference): readonly string[]
}

/** Formats a report as lines. */
export function describeReport(report: TraceReport, options: DescribeOptions): string {
  const { same, traces, requests, differences, endedBy } = report
  const { left, right, more } = options
  const size = `${traces} traces with ${requests} requests${endedBy === undefined ? '' : `, ended by ${endedBy}`}`
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
  const { trace, count, isRepeatable, also = [] } = difference
  const last = trace.at(-1) as TraceStep
  const times = count === 1 ? 'once' : `${count} times`
  return [
    `${number}. ${describeDifference(difference)} (${times})`,
    ...repeatedSteps(trace.slice(0, -1)).flatMap(({ step, times }) =>
      describeStep(step, times > 1 ? `${times} × ` : ''),
    ),
    ...describeStep(last, '', '  <- here'),
    ...also.map((other) => `     also ${describeDifference(other)}`),
    ...(isRepeatable ? [] : ['     did not occur again on the same trace']),
  ]
}

/** Joins steps that send the same request again at once. */
export function repeatedSteps(
  trace: readonly TraceStep[],
): readonly { readonly step: TraceStep; readonly times: number }[] {
  const groups: { step: TraceStep; times: number }[] = []
  for (const step of trace) {
    const last = groups.at(-1)
    if (last !== undefined && step.waitMs === 0 && step.request === last.step.request) last.times += 1
    else groups.push({ step, times: 1 })
  }
  return groups
}

function describeStep({ waitMs, request }: TraceStep, times: string, mark = ''): string[] {
  const wait = waitMs > 0 ? `after ${waitMs} ms ` : ''
  const headers = request.headers.map(([name, value]) => ` ${name}: ${shortened(value, maxUrl)}`).join(',')
  const lines = [
    `     ${wait}${times}${[request.method, shortened(request.url, maxUrl)].join(' ').trimEnd()}${headers}${mark}`,
  ]
  if (request.body !== undefined && request.body.byteLength > 0) lines.push(`       ${describeBody(request.body)}`)
  return lines
}

const maxShown = 2000
const maxUrl = 200

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text
}

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
