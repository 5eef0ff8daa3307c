/**
 * Everything that `turnpike check` tells about one definition file: what keeps it from being loaded, what is written
 * but never read, and what works other than it looks. Nothing here runs when a gateway loads definitions.
 */

import type { SecretLookup } from '../lib/secret-lookup.ts'
import { locateJson } from '../lib/shape/locate-json.ts'
import { type Problem, readShape } from '../lib/shape/shape.ts'
import { classicShape } from './classic.ts'
import { authLint } from './lint/auth-lint.ts'
import { cacheLint } from './lint/cache-lint.ts'
import { eventLint } from './lint/event-lint.ts'
import type { Finding, Lint, LintOptions, Report } from './lint/finding.ts'
import { limitLint } from './lint/limit-lint.ts'
import { pathRuleLint } from './lint/path-rule-lint.ts'
import { portLint } from './lint/port-lint.ts'
import { responseLint } from './lint/response-lint.ts'
import { routingLint } from './lint/routing-lint.ts'
import { schemaLint } from './lint/schema-lint.ts'
import { versionLint } from './lint/version-lint.ts'
import { asksForStream } from './listen-port.ts'
import { parseJson } from './parse-definition.ts'
import { mayNameSecrets, resolveSecrets } from './resolve-secrets.ts'
import { validateDefinition } from './validate-definition.ts'

/** Where bytes pass as they are, what is said of requests is not read. */
const streamLints: readonly Lint[] = [routingLint, portLint]

const lints: readonly Lint[] = [
  routingLint,
  portLint,
  authLint,
  versionLint,
  pathRuleLint,
  schemaLint,
  limitLint,
  cacheLint,
  responseLint,
  eventLint,
]

/** All findings of one definition's text, in the order of their places in it. */
export function lintDefinition(text: string, options: LintOptions = {}): readonly Finding[] {
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return [{ severity: 'error', ...parsed.problem }]
  const findings: Finding[] = []
  const report: Report = (severity, path, message, suggestion) => {
    const found = { severity, path, message, ...locateJson(text, path) }
    findings.push(suggestion === undefined ? found : { ...found, suggestion })
  }
  lintValue(parsed.value, mayNameSecrets(text), options, report)
  return findings.sort((a, b) => a.line - b.line || a.column - b.column)
}

function lintValue(value: unknown, mayHaveSecrets: boolean, options: LintOptions, report: Report): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('error', [], 'must be an object')
    return
  }
  if (isWrapped(value)) {
    report('error', ['api_definition'], 'holds the definition; the gateway reads it only at the top of the file')
    return
  }
  if (mayHaveSecrets && options.secret !== undefined) lintSecrets(value, options.secret, report)
  const read = readShape(classicShape, value)
  for (const problem of read.problems) reportProblem(problem, report)
  if (!read.readable) return
  const told = new Set<string>()
  const once: Report = (severity, path, message, suggestion) => {
    told.add(severity)
    report(severity, path, message, suggestion)
  }
  for (const lint of asksForStream(read.value) ? streamLints : lints) lint(read.value, once, options)
  // What the management API would refuse is mostly told above, with its place.
  const refused = validateDefinition(read.value)
  if (refused !== undefined && !told.has('error'))
    report('error', [], `would be refused by the management API: ${refused}`)
}

/** Exports of management tools keep the definition in a member of their own. */
function isWrapped(value: object): boolean {
  return 'api_definition' in value && !('proxy' in value) && !('api_id' in value)
}

function reportProblem(problem: Problem, report: Report): void {
  if (problem.kind === 'type') report('error', problem.path, problem.message)
  else report('warning', problem.path, 'is not a known field and is passed over', problem.suggestion)
}

/** Puts the secrets in, so that the lints see what the gateway would; a secret that is not set is told. */
function lintSecrets(value: object, lookup: SecretLookup, report: Report): void {
  const unset = new Set<string>()
  resolveSecrets(value, (from, name) => {
    const found = lookup(from, name)
    if (found === undefined) unset.add(`${from}://${name}`)
    return found
  })
  for (const name of unset) report('error', [], `uses ${name}, which is not set and reads as an empty text`)
}
