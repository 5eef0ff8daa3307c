/** Free JSON of which only the outermost type is checked. */
import { anything, type Shape, wrongType } from './shape.ts'

export const anyList: Shape<unknown> = freeValue('a list', Array.isArray)
export const anyObject: Shape<unknown> = freeValue(
  'an object',
  (value) => typeof value === 'object' && !Array.isArray(value),
)

/** A value of another type is reported and kept, so that a reader that ignores problems does not take it as absent. */
function freeValue(expected: string, fits: (value: unknown) => boolean): Shape<unknown> {
  return {
    ...anything,
    read(value, path, problems) {
      const read = anything.read(value, path, problems)
      if (read !== null && !fits(read)) wrongType(expected, value, path, problems)
      return read
    },
  }
}
