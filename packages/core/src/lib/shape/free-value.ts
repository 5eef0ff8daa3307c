/** Free JSON: only the outermost type is checked, and the value is kept as it is written. */
import { anything, type JsonSchema, type Problem, type Shape, text, wrongType } from './shape.ts'
import { unknownMembers } from './unknown-members.ts'

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

/**
 * Free JSON with a description: JSON Schemas and types have the form of `shape`, and parts that do not fit it are reported
 * and kept, because recorded clients send them. The reader of the value decides what they mean.
 */
export function describedValue(free: Shape<unknown>, shape: ReadableShape): Shape<unknown> {
  const schema: JsonSchema = { ...shape.schema, 'x-as-written': true }
  return {
    ...free,
    schema,
    read(value, path, problems) {
      const before = problems.length
      const read = free.read(value, path, problems)
      if (problems.length > before || read === null) return read
      const found: Problem[] = []
      shape.read(read, path, found)
      for (const problem of found) if (problem.kind === 'type') problems.push({ ...problem, kind: 'inner-type' })
      problems.push(...unknownMembers(schema, read, path))
      return read
    },
  }
}

/** What a description needs of a shape; shapes of all types have it. */
export type ReadableShape = Pick<Shape<unknown>, 'read' | 'schema'>

/** A text that should be one of the words. The shape only describes: it reads any text. */
export function wordOf(...words: readonly string[]): Shape<string> {
  return { ...text, schema: { type: 'string', enum: words } }
}
