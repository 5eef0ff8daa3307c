/** `turnpike check --explain`: what a finding means, and what to do about it. */
import { type FindingId, type FindingRule, findingRules, isFindingId } from '@turnpike/core/definition'
import { nearestId, stopsStart } from '../config/allowed-findings.ts'
import { columns } from '../terminal/columns.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { pageUrl } from './page-url.ts'

export function explainFinding(id: string, json: boolean, io: Io): ExitCode {
  const problem = idProblem(id)
  if (problem !== undefined || !isFindingId(id)) {
    io.err(`error: --explain: ${problem}`)
    return exitCodes.wrongUse
  }
  const { severity, text, fix, about, page }: FindingRule = findingRules[id]
  const url = pageUrl(page)
  if (json) io.out(JSON.stringify({ id, severity, text, about, fix, page: url, stops_start: stopsStart(id) }, null, 2))
  else {
    const rows: [string, string][] = [
      ['severity', severity],
      ['message', text],
      ...(about === undefined ? [] : [['meaning', about] as [string, string]]),
      ...(fix === '' ? [] : [['fix', fix] as [string, string]]),
      ['page', url],
      ['silence', silenceOf(id)],
    ]
    for (const line of [id, ...columns(rows).map((row) => `  ${row}`)]) io.out(line)
  }
  return exitCodes.fine
}

function silenceOf(id: FindingId): string {
  if (stopsStart(id)) return 'not possible, because the gateway does not start'
  return `--allow ${id}, or in the configuration "check": {"allow": ["${id}"]}`
}

/** Why an id cannot be explained; `undefined` if it can. */
export function idProblem(id: string): string | undefined {
  if (isFindingId(id)) return undefined
  const near = nearestId(id)
  const fix = near === undefined ? 'docs/reference/generated/findings.md lists all' : `did you mean "${near}"?`
  return `"${id}" is not the id of a finding; ${fix}`
}

/** Why an id cannot be allowed; `undefined` if it can. */
export function allowProblem(id: string): string | undefined {
  const problem = idProblem(id)
  if (problem !== undefined || !isFindingId(id)) return problem
  return stopsStart(id) ? `"${id}" cannot be allowed, because the gateway does not start with it` : undefined
}
