/** The findings of `turnpike check` in a definition, and the interface of its lints. */

import type { PortRules } from '../../http/listen-address.ts'
import type { SecretLookup } from '../../lib/secret-lookup.ts'
import { locateJson } from '../../lib/shape/locate-json.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import type { ClassicDefinition } from '../classic.ts'

/**
 * `error`: the definition or a part of it cannot work. `warning`: it works, but probably not as intended. `note`: it works
 * as intended and can be simpler.
 */
export type Severity = 'error' | 'warning' | 'note'

export interface Finding {
  readonly severity: Severity
  readonly path: JsonPath
  /** The reason and the fix, to be printed after the path. */
  readonly message: string
  /** The value that was probably intended. */
  readonly suggestion?: string
  /** What to do instead, if there is no suggestion. */
  readonly fix?: string
  /** The field has no effect in this build. */
  readonly isIneffective?: true
  /** Line and column in the text, counted from 1. */
  readonly line: number
  readonly column: number
}

/** Settings of the gateway. A check that needs a missing setting is skipped. */
export interface LintOptions {
  /** Current time in ms since 1970, to report expired dates. */
  readonly now?: number
  /** Vendor word in the paths of the management API. Default: `svc`. */
  readonly vendor?: string
  /** `enable_custom_domains`. */
  readonly customDomains?: boolean
  readonly honourActive?: boolean
  /** TCP ports that APIs may listen on. Default: all. */
  readonly ports?: PortRules
  /** Default: `skip`. */
  readonly undeclaredResponseProcessors?: 'skip' | 'fire'
  /** `any`: clients can choose their address by a header. Default: they cannot. */
  readonly clientAddresses?: 'any' | 'trusted'
  /** `cache_mode` of the configuration. Default: `compatible`. */
  readonly cacheMode?: 'compatible' | 'rfc9111' | 'recorded'
  /** Which scripts the gateway runs. */
  readonly scripts?: { readonly enabled: boolean; readonly bundles: boolean; readonly allowsBlobs: boolean }
  /** Default: secrets are not looked up. */
  readonly secret?: SecretLookup
  /** `strict` of the configuration: fields without effect are errors. Default: false. */
  readonly strict?: boolean
}

export type Report = (severity: Severity, path: JsonPath, message: string, suggestion?: string) => void

/** Collects findings about a text. `report` adds one with its place in the text. */
export function collectFindings(text: string): { readonly findings: Finding[]; readonly report: Report } {
  const findings: Finding[] = []
  const report: Report = (severity, path, message, suggestion) => {
    const found = { severity, path, message, ...locateJson(text, path) }
    findings.push(suggestion === undefined ? found : { ...found, suggestion })
  }
  return { findings, report }
}

/** The order of findings in the text. */
export function byPlace(a: Finding, b: Finding): number {
  return a.line - b.line || a.column - b.column
}

/** Checks one aspect of a document. */
export type Lint = (document: ClassicDefinition, report: Report, options: LintOptions) => void
