/** The interface of the lints: what they get to check a definition. */

import type { PortRules } from '../../http/listen-address.ts'
import { type Json, memberOf } from '../../lib/json.ts'
import type { SecretLookup } from '../../lib/secret-lookup.ts'
import type { ClassicDefinition } from '../classic.ts'
import type { Report } from '../findings/finding.ts'

/** Settings of the gateway. A check that needs a missing setting is skipped. */
export interface LintOptions {
  /** The file of the text, for the findings. Default: no name. */
  readonly source?: string
  /** The definition as it is written, to distinguish fields that are absent from fields that are off. */
  readonly given?: Json
  /** Current time in ms since 1970, to report expired dates. */
  readonly now?: number
  /** Vendor word in the paths of the management API. Default: `svc`. */
  readonly vendor?: string
  /** `enable_custom_domains`. */
  readonly customDomains?: boolean
  readonly honourActive?: boolean
  /** `http_server_options.enable_path_suffix_matching`: the path of a rule is the whole path. Default: false. */
  readonly exactPaths?: boolean
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

/** Checks one aspect of a document. */
export type Lint = (document: ClassicDefinition, report: Report, options: LintOptions) => void

/** Whether the file has the field. If the file is not known, it has. */
export function isWritten(given: Json | undefined, ...path: readonly string[]): boolean {
  return given === undefined || memberOf(given, ...path) !== undefined
}
