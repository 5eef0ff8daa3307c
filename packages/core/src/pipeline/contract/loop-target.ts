/**
 * Rewrites that stay inside the gateway: `svc://<api>/<path>?<controls>`. Here is what such a target says; following
 * it, which takes all APIs, is done by whoever fills `Tools.loops`. Source: spec/apis-and-pipeline.md 4.5.
 */
import type { Answer } from '../../http/http.ts'
import { formFields } from '../../lib/form.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { RequestContext } from './context.ts'

export interface LoopTarget {
  /** `self`, or what names an API: compared by `loop/api-names.ts`. */
  readonly api: string
  /** Path for that API's chain, behind its listen path, with a leading slash. */
  readonly path: string
  /** Query without the controls. */
  readonly query: string
  /** Method of the looped request; empty: as it is. */
  readonly method: string
  /** Most loops of one request. Default 5, at most 100. */
  readonly limit: number
  /** Whether rate and quota count the looped request too. */
  readonly checkLimits: boolean
}

export interface Loops {
  /** Whether an API of this name is served now. */
  knows(api: string): boolean
  /** Runs the chain of the API that the target names on the changed request; `undefined`: it is not served any more. */
  follow(context: RequestContext, target: LoopTarget): Maybe<Answer> | undefined
}

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
