/**
 * The findings of `turnpike check` in one definition file: errors that prevent loading, fields without effect, and
 * settings that probably do not do what their author expects. The gateway does not run these checks.
 */

import { isJson } from '../lib/json.ts'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import { readShape } from '../lib/shape/shape.ts'
import { eachText } from '../lib/shape/texts-in.ts'
import type { Unsupported } from './api-definition.ts'
import { classicShape } from './classic.ts'
import { byPlace, collectFindings, type Finding, type Report } from './findings/finding.ts'
import { findingRules } from './findings/finding-rules.ts'
import { foreignDocumentOf } from './foreign-document.ts'
import { authLint } from './lint/auth-lint.ts'
import { cacheLint } from './lint/cache-lint.ts'
import { eventLint } from './lint/event-lint.ts'
import { graphqlLint } from './lint/graphql-lint.ts'
import { limitLint } from './lint/limit-lint.ts'
import type { Lint, LintOptions } from './lint/lint.ts'
import { ineffectiveFindings } from './lint/locate-ineffective-fields.ts'
import { pathRuleLint } from './lint/path-rule-lint.ts'
import { portLint } from './lint/port-lint.ts'
import { responseLint } from './lint/response-lint.ts'
import { routingLint } from './lint/routing-lint.ts'
import { schemaLint } from './lint/schema-lint.ts'
import { scriptLint } from './lint/script-lint.ts'
import { securityLint } from './lint/security-lint.ts'
import { stageLint } from './lint/stage-lint.ts'
import { syntaxFinding } from './lint/syntax-finding.ts'
import { upstreamLint } from './lint/upstream-lint.ts'
import { versionLint } from './lint/version-lint.ts'
import { isStreamApi } from './listen-port.ts'
import { isOpenApiDocument, parseJson } from './parse-definition.ts'
import { withPlainId } from './read-classic.ts'
import { mayNameSecrets, resolveSecrets } from './resolve-secrets.ts'
import { unsupportedInDefinition } from './support-status/definition-support.ts'
import { unknownFields } from './support-status/support.ts'
import { validateDefinition } from './validate-definition.ts'

/** The checks of an API that forwards bytes, where the settings for HTTP requests have no effect. */
const streamLints: readonly Lint[] = [routingLint, portLint, upstreamLint]

const lints: readonly Lint[] = [
  routingLint,
  portLint,
  upstreamLint,
  authLint,
  versionLint,
  pathRuleLint,
  schemaLint,
  limitLint,
  cacheLint,
  responseLint,
  eventLint,
  scriptLint,
  graphqlLint,
  securityLint,
  stageLint,
]

/** All findings of a definition, in the order of their places in the text. Of GraphQL APIs only after `loadGraphql`. */
export function lintDefinition(text: string, options: LintOptions = {}): readonly Finding[] {
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return [syntaxFinding(parsed.problem, options.source ?? '')]
  // The gateway reports the reason, with the name of the file.
  if (isOpenApiDocument(parsed.value)) return []
  const { findings, report } = collectFindings(text, options.source ?? '')
  const addIneffective: AddIneffective = (fields) => {
    const found = ineffectiveFindings(text, fields, options)
    findings.push(...found)
    return found.some(({ severity }) => severity === 'error')
  }
  lintValue(parsed.value, mayNameSecrets(text), options, report, addIneffective)
  return findings.sort(byPlace)
}

/** Reports fields without effect; true if one of them is an error. */
type AddIneffective = (fields: readonly Unsupported[]) => boolean

function lintValue(
  value: unknown,
  mayHaveSecrets: boolean,
  options: LintOptions,
  report: Report,
  addIneffective: AddIneffective,
): void {
  if (!isJson(value)) {
    report('not-an-object', [])
    return
  }
  const foreign = foreignDocumentOf(value)
  if (foreign !== undefined) {
    report('foreign-document', foreign.member === undefined ? [] : [foreign.member], { problem: foreign.reason })
    return
  }
  lintSecretStores(value, report)
  const { secret } = options
  const resolved = mayHaveSecrets && secret !== undefined ? lintSecrets(value, secret, report) : value
  const read = readShape(classicShape, isJson(resolved) ? withPlainId(resolved) : resolved)
  for (const { kind, path, message } of read.problems)
    if (kind === 'type') report('wrong-type', path, { problem: message })
  addIneffective(unknownFields(read.problems))
  if (!read.readable) return
  const severities = new Set<string>()
  const recorded: Report = (id, path, ...values) => {
    severities.add(findingRules[id].severity)
    report(id, path, ...values)
  }
  if (addIneffective(unsupportedInDefinition(read.value))) severities.add('error')
  lintSettings(read.value, recorded, { ...options, given: value })
  // Most reasons of the management API are already reported above, with their place.
  const reason = validateDefinition(read.value)
  if (reason !== undefined && !severities.has('error')) report('rejected-by-management-api', [], { reason })
}

/** Reports settings that prevent loading, or that probably do not do what their author expects. */
export const lintSettings: Lint = (document, report, options) => {
  for (const lint of isStreamApi(document) ? streamLints : lints) lint(document, report, options)
}

/** Returns a copy with secrets resolved, as the gateway sees the definition. Reports secrets that are not set. */
export function lintSecrets(value: object, lookup: SecretLookup, report: Report): unknown {
  const unset = new Set<string>()
  const { resolved } = resolveSecrets(value, (from, name) => {
    const found = lookup(from, name)
    const isMissing = found === undefined || (from === 'env' && found === '')
    if (from === 'secret_env') {
      if (!isMissing) unset.delete(`env://${name}`)
    } else if (isMissing) unset.add(`${from}://${name}`)
    return found
  })
  for (const name of unset) {
    report(name === 'echo://' ? 'echo-not-enabled' : 'secret-not-set', [], { name })
  }
  return resolved
}

/** Reports references to secret stores that the gateway cannot read. */
function lintSecretStores(value: object, report: Report): void {
  eachText(value, (path, text) => {
    const store = /(?:^|[^a-z])(vault|consul):\/\//.exec(text)?.[1] ?? /\$secret_(vault|consul)\./.exec(text)?.[1]
    if (store === undefined) return
    report('unsupported-secret-store', path, { store })
  })
}
