/** Keywords about lists. */
import { type Check, type Compiler, descend, type Run, report, tryCheck } from './compile-schema.ts'
import { canonicalJson, type JsonObject } from './json-type.ts'

type ListCheck = (list: readonly unknown[], run: Run) => void

export function compileArrayKeywords(schema: JsonObject, compiler: Compiler): Check[] {
  const { minItems, maxItems, uniqueItems, contains } = schema
  const checks: ListCheck[] = []
  if (typeof minItems === 'number') {
    checks.push((list, run) => {
      if (list.length < minItems) report(run, `Array must have at least ${minItems} items`)
    })
  }
  if (typeof maxItems === 'number') {
    checks.push((list, run) => {
      if (list.length > maxItems) report(run, `Array must have at most ${maxItems} items`)
    })
  }
  if (uniqueItems === true) checks.push(checkUnique)
  const contained = contains === undefined ? undefined : compiler.sub(contains)
  if (contained !== undefined) {
    checks.push((list, run) => {
      const fits = list.some((item) => tryCheck(contained, item, run).length === 0)
      if (!fits) report(run, 'At least one of the items must match')
    })
  }
  const items = compileItems(schema, compiler)
  if (items !== undefined) checks.push(items)
  return checks.map((check) => (value, run) => {
    if (Array.isArray(value)) check(value, run)
  })
}

function compileItems({ items, additionalItems }: JsonObject, compiler: Compiler): ListCheck | undefined {
  if (items === undefined) return undefined
  if (!Array.isArray(items)) {
    const each = compiler.sub(items)
    if (each === undefined) compiler.fail('items must be a schema or a list of schemas')
    return (list, run) => {
      if (each !== undefined) for (const [i, item] of list.entries()) descend(run, i, each, item)
    }
  }
  const byPlace = items.map((item) => compiler.sub(item) ?? (() => {}))
  const rest = additionalItems === undefined ? undefined : compiler.sub(additionalItems)
  return (list, run) => {
    if (additionalItems === false && list.length > byPlace.length) report(run, 'No additional items allowed on array')
    for (const [i, item] of list.entries()) {
      const check = byPlace[i] ?? (additionalItems === false ? undefined : rest)
      if (check !== undefined) descend(run, i, check, item)
    }
  }
}

/** By one text for each value, so that a long list is not compared item by item. */
function checkUnique(list: readonly unknown[], run: Run): void {
  const places = new Map<string, number>()
  for (const [at, item] of list.entries()) {
    const text = canonicalJson(item)
    const first = places.get(text)
    if (first !== undefined) {
      report(run, `array items[${first},${at}] must be unique`)
      return
    }
    places.set(text, at)
  }
}
