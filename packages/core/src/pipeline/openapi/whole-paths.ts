/**
 * Finds the path of the document that equals the path of a request segment by segment. Validation below a listen path
 * with variables works this way (docs/reference/openapi-validation.md#path-candidates). Paths without parameters come
 * first.
 */
import { pathShapeOf } from '../../definition/openapi/operations.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { PathRuleIndex } from '../shared/path-rule-index.ts'
import { compileSegment, type ReadSegment } from './path-segment.ts'

interface WholePath {
  readonly path: string
  readonly method: string
}

type RequestedPath = Pick<RequestContext, 'path'> & { readonly request: Pick<RequestContext['request'], 'method'> }

export function compileWholePaths<Slot extends WholePath>(
  slots: readonly Slot[],
  ignoreCase: boolean,
  coversHead = false,
): (context: RequestedPath) => Slot | undefined {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const shapeOf = (path: string) => fold(pathShapeOf(path))
  const byMethod = new Map([...new Set(slots.map(({ method }) => method))].map((method) => [method, finder(method)]))
  return ({ path, request: { method } }) => {
    const segments = path.split('/').map((part) => fold(decodePercent(part)))
    const own = byMethod.get(method)?.(segments)
    return own ?? (coversHead && method === 'HEAD' ? byMethod.get('GET')?.(segments) : undefined)
  }

  function finder(method: string): (segments: readonly string[]) => Slot | undefined {
    const own = slots.filter((slot) => slot.method === method)
    const [fixed, others] = [true, false].map((isFixed) =>
      own.filter(({ path }) => isFixed !== pathShapeOf(path).includes('{}')),
    )
    const ordered = [...(fixed ?? []), ...(others ?? [])]
    const compiled: (readonly ReadSegment[])[] = []
    let index: PathRuleIndex | undefined
    return (segments) => {
      index ??= new PathRuleIndex(ordered.map(({ path }) => ({ path: indexedPath(shapeOf(path)), ignoreCase: false })))
      // A slash that was escaped is part of its segment.
      const text = segments.map((segment) => segment.replaceAll('/', escapedSlash)).join('/')
      const found = index.find([text], (place) => {
        compiled[place] ??= shapeOf((ordered[place] as Slot).path)
          .split('/')
          .map(compileSegment)
        return equals(compiled[place], segments)
      })
      return found === undefined ? undefined : ordered[found]
    }
  }
}

const escapedSlash = '\0'

/** The index knows parameters by their names. */
function indexedPath(shape: string): string {
  return shape.replaceAll('{}', '{p}')
}

function equals(wanted: readonly ReadSegment[], given: readonly string[]): boolean {
  return wanted.length === given.length && wanted.every((read, i) => read(given[i] as string) !== undefined)
}
