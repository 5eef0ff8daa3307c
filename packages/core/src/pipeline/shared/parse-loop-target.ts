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
const controlNames: ReadonlySet<string> = new Set(['method', 'loop_limit', 'check_limits'])

export type LoopControls = Pick<LoopTarget, 'method' | 'limit' | 'checkLimits'>

/** Reads the controls in the query of a target as the definition writes it. Values with control characters do not count. */
export function readLoopControls(text: string): LoopControls {
  const fields = formFields(/\?([^#]*)/.exec(text)?.[1] ?? '')
  const fieldOf = (name: string) => {
    const value = fields.get(name)?.[0] ?? ''
    return value.includes('\u0000') ? '' : value
  }
  const limit = Number(fieldOf('loop_limit'))
  return {
    method: fieldOf('method'),
    limit: Number.isInteger(limit) && limit > 0 ? Math.min(limit, highestLimit) : defaultLimit,
    checkLimits: fieldOf('check_limits') === 'true',
  }
}

/**
 * Returns `undefined` if the URL does not have the scheme of loops. `controls`: those of the definition, if the URL also
 * has values of the request.
 */
export function parseLoopTarget(
  url: string,
  vendor: string,
  controls: LoopControls = readLoopControls(url),
): LoopTarget | undefined {
  const scheme = `${vendor.toLowerCase()}://`
  if (url.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
  const match = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url.slice(scheme.length))
  const query = match?.[3] ?? ''
  return {
    // A rewrite escapes spaces in the name of the API.
    api: decodePercent(match?.[1] ?? ''),
    path: match?.[2] || '/',
    query: query
      .split('&')
      .filter((pair) => !controlNames.has(pair.split('=', 1)[0] as string))
      .join('&'),
    ...controls,
  }
}
