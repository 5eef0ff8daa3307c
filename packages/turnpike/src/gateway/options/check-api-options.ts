/** Checks the options of `defineApi`. */
import { isSafeApiId, parseTargetUrl } from '@turnpike/core'
import type { ApiOptions } from './api-options.ts'
import { OptionError } from './option-error.ts'
import { isBoolean, isObject, isText, type OptionCheck, readOptions } from './read-options.ts'

const checks: Readonly<Record<keyof ApiOptions, OptionCheck>> = {
  id: (value) =>
    isText(value) === undefined && isSafeApiId(value as string)
      ? undefined
      : 'a text that can be a file name: not empty, no slash, no dot at the start',
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
  stages: (value) => (isObject(value) ? undefined : 'an object of configurations by stage name'),
  more: (value) => (isObject(value) ? undefined : 'an object with further fields of the definition'),
}

/** Throws an `OptionError` that names the option, the value and the fix. */
export function checkApiOptions(options: unknown): asserts options is ApiOptions {
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
