/** What `turnpike check` tells about a definition, and how the single lints tell it. */

import type { PortRules } from '../../http/listening.ts'
import type { SecretLookup } from '../../lib/secret-lookup.ts'
import type { JsonPath } from '../../lib/shape/shape.ts'
import type { ClassicDefinition } from '../classic.ts'

/** `error`: the definition, or this part of it, cannot work. `warning`: it works, but hardly as meant. */
export type Severity = 'error' | 'warning'

export interface Finding {
  readonly severity: Severity
  readonly path: JsonPath
  /** The reason and the way out, as a sentence without its subject. */
  readonly message: string
  /** What was probably meant. */
  readonly suggestion?: string
  /** Both from 1, in the text that was read. */
  readonly line: number
  readonly column: number
}

/** What the lints know of the gateway; where it is not known, they keep still about it. */
export interface LintOptions {
  /** Time now, ms: dates of expiry that have passed are told. */
  readonly now?: number
  /** Vendor word of the control paths. Default: `svc`. */
  readonly vendor?: string
  /** `enable_custom_domains`. */
  readonly customDomains?: boolean
  readonly honourActive?: boolean
  /** Which ports APIs may listen on. */
  readonly ports?: PortRules
  /** Default: `skip`. */
  readonly undeclaredResponseProcessors?: 'skip' | 'fire'
  /** Default: secrets are not looked up. */
  readonly secret?: SecretLookup
}

export type Report = (severity: Severity, path: JsonPath, message: string, suggestion?: string) => void

/** Looks at one side of a document that could be read. */
export type Lint = (document: ClassicDefinition, report: Report, options: LintOptions) => void
