/**
 * Finds the path of the document that equals the path of a request segment by segment. Validation below a listen path
 * with variables works this way (docs/reference/openapi-validation.md#path-candidates).
 */
import { pathShapeOf } from '../../definition/openapi/operations.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext } from '../contract/stage.ts'

/** Paths without parameters come first. */
export function compileWholePaths<Slot extends { readonly path: string; readonly method: string }>(
  slots: readonly Slot[],
  { services }: CompileContext,
): (context: RequestContext) => Slot | undefined {
  const { ignoreEndpointCase } = services.settings.routing
  const fold = (text: string) => (ignoreEndpointCase ? text.toLowerCase() : text)
  const compiled = slots.map((slot) => {
    const shape = fold(pathShapeOf(slot.path))
    return { slot, segments: shape.split('/'), isFixed: !shape.includes('{}') }
  })
  const ordered = [...compiled.filter(({ isFixed }) => isFixed), ...compiled.filter(({ isFixed }) => !isFixed)]
  return ({ path, request }) => {
    const segments = path.split('/').map((segment) => fold(decodePercent(segment)))
    return ordered.find(({ slot, segments: wanted }) => slot.method === request.method && equals(wanted, segments))
      ?.slot
  }
}

function equals(wanted: readonly string[], given: readonly string[]): boolean {
  return wanted.length === given.length && wanted.every((segment, i) => fitsSegment(segment, given[i] as string))
}

/** A parameter matches at least one character. */
function fitsSegment(wanted: string, given: string): boolean {
  const [before = '', ...others] = wanted.split('{}')
  if (others.length === 0) return wanted === given
  const after = others.at(-1) as string
  return given.length > before.length + after.length && given.startsWith(before) && given.endsWith(after)
}
