/** Shorthand for a definition with one version, for tests and small gateways. */

import { apiIdRule, isApiId, parseTargetUrl } from '@turnpike/core/definition'
import { isJson } from '@turnpike/core/lib'
import type { DefinitionDocument } from './document-types.ts'
import { OptionError } from './options/option-error.ts'
import { isBoolean, isText, type OptionCheck, readOptions } from './options/read-options.ts'

/**
 * Returns the definition of an API with one version. Source: docs/reference/api-definition.md#api-definition. Throws an
 * `OptionError` if an option is unknown, missing or wrong.
 */
export function defineApi(options: ApiOptions): DefinitionDocument {
  checkApiOptions(options)
  const { id, target, listenPath = `/${id}/`, orgId = '', open = false, stages, more } = options
  return {
    name: id,
    api_id: id,
    org_id: orgId,
    active: true,
    ...(open ? { use_keyless: true } : { use_standard_auth: true, auth: { auth_header_name: 'Authorization' } }),
    version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
    proxy: { listen_path: listenPath, target_url: target, strip_listen_path: true },
    ...(stages === undefined ? {} : { stages }),
    ...more,
  }
}

/** The options of `defineApi`. */
export interface ApiOptions {
  readonly id: string
  /** URL of the upstream. */
  readonly target: string
  /** Default: `/<id>/`. It is stripped from the path that the upstream receives. */
  readonly listenPath?: string
  /** Default: none. */
  readonly orgId?: string
  /** Accepts requests without a key. Default: false; the gateway reads the key from the header `Authorization`. */
  readonly open?: boolean
  /** Configurations of custom stages, by the name of the stage; `false` turns a stage off. Default: none. */
  readonly stages?: Readonly<Record<string, object | false>>
  /** Further fields of the definition. They override the generated ones. */
  readonly more?: Partial<DefinitionDocument>
}

const checks: Readonly<Record<keyof ApiOptions, OptionCheck>> = {
  id: (value) => (isText(value) === undefined && isApiId(value as string) ? undefined : apiIdRule),
  target: (value) =>
    typeof value === 'string' && isTarget(value)
      ? undefined
      : 'the URL of the upstream, such as "http://127.0.0.1:3000/"',
  listenPath: (value) =>
    typeof value === 'string' && /^(\/|env:\/\/|secrets:\/\/)/.test(value)
      ? undefined
      : 'a path that starts with a slash',
  orgId: (value) => (typeof value === 'string' ? undefined : 'a text'),
  open: isBoolean,
  stages: (value) => (isJson(value) ? undefined : 'an object of configurations by stage name'),
  more: (value) => (isJson(value) ? undefined : 'an object with further fields of the definition'),
}

/** Throws an `OptionError` that names the option, the value and the fix. */
function checkApiOptions(options: unknown): asserts options is ApiOptions {
  readOptions('defineApi', options, checks)
  for (const name of ['id', 'target'] as const) {
    if ((options as Partial<ApiOptions>)[name] !== undefined) continue
    throw new OptionError(name, `defineApi: the option "${name}" is missing; it must be ${checks[name](undefined)}`)
  }
}

/** References are resolved when the definition is loaded. */
function isTarget(text: string): boolean {
  if (/^(env|secrets):\/\//.test(text)) return true
  const url = parseTargetUrl(text)
  return url !== undefined && url.origin !== ''
}
