/** Generates values that a schema allows, and values that it nearly allows. */
import fc from 'fast-check'
import type { AnyDocument, AnySchema } from './documented-operations.ts'
import { resolve } from './schema-fit.ts'

/** Strings that often reveal bugs: empty, long, not ASCII, lone surrogates, paths, property names of JavaScript objects. */
export const trickyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    ...['', ' ', '\u0000', '\ud800', '../../etc/passwd', '..%2f', '__proto__', 'constructor', 'toString'],
    ...['null', 'true', '0', '-1', '1e999', '\r\nX-Injected: 1', '"', '\\', '{{.}}', '$secret_env.HOME', '*', '('],
    ...['\u202eabc', 'a'.repeat(5000), 'é'.repeat(300)],
  ),
)

const anyNumber = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, -1, 1, 2 ** 31, 2 ** 53, -(2 ** 63), 2 ** 64, 1e308, 5e-324, 0.1),
)

/** Small JSON values of any type. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  trickyText,
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Generates values that a schema allows. Below `depth` levels, arrays and objects are empty. */
export function validValues(schema: AnySchema, document: AnyDocument, depth = 4): fc.Arbitrary<unknown> {
  const { type, properties, additionalProperties, items, required, enum: allowed } = resolve(schema, document)
  if (allowed !== undefined) return fc.constantFrom(...allowed)
  const types = type === undefined ? ['anything'] : [type].flat()
  return fc.oneof(...types.map((one) => ofType(one)))

  function ofType(one: string): fc.Arbitrary<unknown> {
    switch (one) {
      case 'string':
        return trickyText
      case 'integer':
        return fc.oneof(fc.nat({ max: 1000 }), fc.integer(), fc.constantFrom(-1, 0, 2 ** 53, -(2 ** 63)))
      case 'number':
        return anyNumber
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return depth === 0 ? fc.constant([]) : fc.array(validValues(items ?? {}, document, depth - 1), { maxLength: 3 })
      case 'object':
        return depth === 0 ? fc.constant({}) : objects()
      default:
        return anyJson
    }
  }

  function objects(): fc.Arbitrary<unknown> {
    const names = Object.keys(properties ?? {})
    const rest = typeof additionalProperties === 'object' ? additionalProperties : {}
    // A few properties only: with all of them documents would be large, and every property is drawn over many runs.
    return fc
      .tuple(
        fc.subarray(names, { maxLength: Math.min(8, names.length) }),
        fc.array(trickyText, { maxLength: properties === undefined ? 3 : 1 }),
      )
      .chain(([some, others]) => {
        const chosen = [...new Set([...(required ?? []), ...some])]
        const known = chosen.map((name) => [name, validValues(properties?.[name] ?? {}, document, depth - 1)] as const)
        const free = others.map((name) => [name, validValues(rest, document, depth - 1)] as const)
        return fc.record(Object.fromEntries([...free, ...known]))
      })
  }
}

/** Generates valid values in which one part is replaced by any JSON value. */
export function nearlyValidValues(schema: AnySchema, document: AnyDocument): fc.Arbitrary<unknown> {
  return fc
    .tuple(validValues(schema, document), anyJson, fc.infiniteStream(fc.nat({ max: 7 })))
    .map(([value, other, choices]) => replacePart(value, other, choices))
}

function replacePart(value: unknown, other: unknown, choices: Iterator<number>): unknown {
  const choice: number = choices.next().value
  if (typeof value !== 'object' || value === null || choice === 0) return other
  const names = Object.keys(value)
  const name = names[choice % Math.max(1, names.length)]
  if (name === undefined) return other
  const inside = replacePart((value as Record<string, unknown>)[name], other, choices)
  if (Array.isArray(value)) return value.map((entry, i) => (String(i) === name ? inside : entry))
  return { ...value, [name]: inside }
}
