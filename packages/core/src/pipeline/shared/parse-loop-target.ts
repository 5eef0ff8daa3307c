/**
 * Reads the target of a rewrite that stays inside the gateway: `svc://<api>/<path>?<controls>`.
 * Source: spec/apis-and-pipeline.md 4.5.
 */
import { formFields } from '../../lib/form.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { LoopTarget } from '../contract/loop-target.ts'

const defaultLimit = 5
/** Each loop runs within the one before, so more of them would come near the end of the stack. */
const highestLimit = 100
const controls: ReadonlySet<string> = new Set(['method', 'loop_limit', 'check_limits'])

/** Reads a target; `undefined` when the URL is no loop. */
export function parseLoopTarget(url: string, vendor: string): LoopTarget | undefined {
  const scheme = `${vendor.toLowerCase()}://`
  if (url.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
  const match = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url.slice(scheme.length))
  const query = match?.[3] ?? ''
  const fields = formFields(query)
  const limit = Number(fields.get('loop_limit')?.[0] ?? '')
  return {
    // A name may have spaces, which a rewrite escapes.
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
