/** A script for bash that repeats a trace with curl. */

import { type CertificateOptions, curlCertificateArguments } from '../http/certificate-check.ts'
import { asClient, type Client, type KeyPlace } from '../http/client-pool.ts'
import type { RawRequest } from '../http/raw-client.ts'
import type { Trace } from '../trace/trace-and-history.ts'

export interface CurlOptions {
  readonly trace: Trace
  readonly request: RawRequest
  readonly place: KeyPlace
  /** A client that was not used. */
  readonly client: Client
  readonly statement: string
  /** Needed if the trace starts at a phase of it. */
  readonly periodMs: number
  readonly certificates: CertificateOptions
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const seconds = (ms: number) => (ms / 1000).toFixed(3)

/** The lines of the script. Requests of a crowd run in the background; each line of output is a step with its statuses. */
export function curlScript(options: CurlOptions): string {
  const { trace, request, place, client, statement, periodMs, certificates } = options
  const plain = asClient(request, client, place)
  const lines = [
    '#!/usr/bin/env bash',
    `# ${statement}`,
    `# Client: ${client.name}. For a second run, replace it by a client without recent requests.`,
    `send() { ${['curl', ...curlCertificateArguments(certificates, quote)].join(' ')} -s -o /dev/null -w "%{http_code} " --path-as-is "$@"; }`,
    'now() { date +%s.%N; }',
    'until_s() { sleep "$(awk -v due="$1" -v now="$(now)" \'BEGIN { d = due - now; print (d > 0 ? d : 0) }\')"; }',
  ]
  if (trace.startPhaseMs !== undefined) {
    const [phase, period] = [seconds(trace.startPhaseMs % periodMs), seconds(periodMs)]
    lines.push(
      `sleep "$(awk -v now="$(now)" 'BEGIN { d = ${phase} - now % ${period}; while (d < 0) d += ${period}; print d }')"`,
    )
  }
  lines.push('start=$(now)')
  for (const step of trace.steps) {
    const sent = step.variant?.shape(plain, client) ?? plain
    const batch = step.variant?.statuses === undefined ? '' : ' # one status for the whole batch: remove -o /dev/null'
    const call = `send ${curlArguments(sent)}`
    lines.push(`until_s "$(awk -v start="$start" 'BEGIN { printf "%.3f", start + ${seconds(step.atMs)} }')"`)
    const label = step.variant === undefined ? '' : ` (${step.variant.label})`
    lines.push(`printf ${quote(`${step.atMs} ms${label.replaceAll('%', '%%')}: `)}`)
    if (step.count === 1) lines.push(`${call}${batch}`)
    else if (step.together) lines.push(`for i in $(seq ${step.count}); do ${call} & done; wait${batch}`)
    else lines.push(`for i in $(seq ${step.count}); do ${call}; done${batch}`)
    lines.push('echo')
  }
  return `${lines.join('\n')}\n`
}

function curlArguments({ method, target, headers, body, localAddress }: RawRequest): string {
  return [
    ...(method === 'GET' ? [] : ['-X', quote(method)]),
    ...(localAddress === undefined ? [] : ['--interface', localAddress]),
    ...Object.entries(headers)
      .filter(([name]) => name !== 'Host')
      .flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)]),
    ...(body === undefined ? [] : ['--data-binary', quote(body)]),
    quote(`${target.origin}${target.path}`),
  ].join(' ')
}
