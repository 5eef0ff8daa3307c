/**
 * Parses the target of a rewrite to an API of the same gateway: `svc://<api>/<path>?<controls>`
 * (docs/reference/transforms.md#loops).
 */
import { formFields } from '../../lib/form.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { LoopTarget } from '../contract/loop-target.ts'

const defaultLimit = 5
/** Loops nest on the call stack, so their number is limited. */
const highestLimit = 100
const controls: ReadonlySet<string> = new Set(['method', 'loop_limit', 'check_limits'])

/** Returns `undefined` if the URL does not have the scheme of loops. */
export function parseLoopTarget(url: string, vendor: string): LoopTarget | undefined {
  const scheme = `${vendor.toLowerCase()}://`
  if (url.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
  const match = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url.slice(scheme.length))
  const query = match?.[3] ?? ''
  const fields = formFields(query)
  const limit = Number(fields.get('loop_limit')?.[0] ?? '')
  return {
    // A rewrite escapes spaces in the name of the API.
    api: decodePercent(match?.[1] ?? ''),
    path: match?.[2] || '/',
    query: query
      .split('&')
      .filter((pair) => !controls.has(pair.split('=', 1)[0] as string))
      .join('&'),
    method: fields.get('method')?.[0] ?? '',
    limit: Number.isInteger(limit) && limit > 0 ? Math.min(limit, highestLimit) : defaultLimit,
    checkLimits: fields.get('check_limits')?.[0] === 'true',
  }
}
