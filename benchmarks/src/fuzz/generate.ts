/** Generators: choices, mutations of texts and of JSON values. All randomness comes from the seed. */
import { makeRandom, type Random } from '@turnpike/upstream/http1/fuzz'

export { makeRandom, type Random }

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)] as T
}

/** The first choice in half of the cases, so that errors also occur deep inside of an otherwise valid message. */
export function mostly<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return random(2) === 0 ? choices[0] : pick(random, choices)
}

/** Cuts, repeats, replaces or inserts up to `edits` pieces. `pieces` are texts that matter in the language. */
export function mutateText(random: Random, text: string, pieces: readonly string[], edits = 4): string {
  let mutated = text
  for (let i = random(edits + 1); i > 0; i--) {
    const at = random(mutated.length + 1)
    const end = Math.min(mutated.length, at + random(12))
    const action = random(5)
    const middle =
      action === 0
        ? ''
        : action === 1
          ? pick(random, pieces)
          : action === 2
            ? String.fromCharCode(random(random(2) === 0 ? 128 : 0x10000))
            : action === 3
              ? mutated.slice(at, end).repeat(1 + random(40))
              : mutated.slice(at, end) + pick(random, pieces)
    mutated = mutated.slice(0, at) + middle + mutated.slice(end)
  }
  return mutated
}

const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  '..',
  '/',
  '//',
  '/../..',
  '%2f..',
  '%',
  '\\',
  '.*',
  '(a+)+$',
  '[',
  '(?P<n>',
  '{{',
  '{{.}}',
  '{{range .}}',
  '$1',
  '$svc_meta.x',
  '$secret_env.PATH',
  'env://PATH',
  'secrets://x',
  '__proto__',
  'constructor',
  'toString',
  '🙂',
  '\ud800',
  'a'.repeat(5000),
  '-1',
  '1e999',
  '99999999999999999999',
  '0x10',
  'null',
  'true',
  '2026-01-01',
  'h2c://127.0.0.1:1',
  'http://127.0.0.1:1/',
  'http://[::1',
  'http://a@127.0.0.1:1',
  'unix:///x',
  'bm90IGpzb24=',
  '10.0.0.0/99',
  '#/components/x',
  '#/',
]
const hostileValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  -0,
  [],
  {},
  [null],
  [[]],
  { a: {} },
  [1, 'a', {}],
]

/** A value that its place does not expect. */
export function hostileValue(random: Random): unknown {
  if (random(2) === 0) return pick(random, hostileTexts)
  if (random(20) > 0) return structuredClone(pick(random, hostileValues))
  let deep: unknown = 'x'
  // The limits of the gateway are lower. From about 2,900 levels on, JSON.stringify can overflow the stack.
  for (let i = random(2500); i > 0; i--) deep = random(2) === 0 ? [deep] : { a: deep }
  return deep
}

/** Changes up to four places of a JSON value: other values, missing and added members, members of another value. */
export function mutateJson(random: Random, value: unknown, other: unknown = value): unknown {
  const root = { value: structuredClone(value) }
  for (let i = 1 + random(4); i > 0; i--) mutatePlace(random, root, other)
  return root.value
}

function mutatePlace(random: Random, root: { value: unknown }, other: unknown): void {
  let holder: Record<string, unknown> = root
  let name = 'value'
  for (let depth = random(9); depth > 0; depth--) {
    const inner = holder[name]
    if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0) break
    holder = inner as Record<string, unknown>
    name = pick(random, Object.keys(holder))
  }
  const action = random(6)
  const old = holder[name]
  if (holder === root && action < 4) return
  if (action === 0) delete holder[name]
  else if (action === 1) define(holder, pick(random, hostileTexts), hostileValue(random))
  else if (action === 2) define(holder, name, structuredClone(anyPart(random, other)))
  else if (action === 3 && typeof old === 'string') define(holder, name, mutateText(random, old, hostileTexts, 2))
  else if (action === 4 && typeof old === 'boolean') define(holder, name, !old)
  else define(holder, name, hostileValue(random))
}

/** An own member, also for `__proto__`. */
function define(holder: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}

function anyPart(random: Random, value: unknown): unknown {
  let part = value
  for (let depth = random(7); depth > 0 && typeof part === 'object' && part !== null; depth--) {
    const names = Object.keys(part)
    if (names.length === 0) break
    part = (part as Record<string, unknown>)[pick(random, names)]
  }
  return part
}

/** JSON text, sometimes with broken syntax. */
export function jsonText(random: Random, value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return random(4) === 0 ? mutateText(random, text, jsonPieces) : text
}

const jsonPieces: readonly string[] = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u',
  '\\ud800',
  'null',
  '1e999',
  '-',
  '"__proto__":',
  '//',
  '/*',
  '\uFEFF',
  '[[[[[[[[',
]
