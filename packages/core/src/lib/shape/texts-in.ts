/** The texts of a JSON value. */
import { isJson } from '../json.ts'
import { maxJsonDepth } from '../text/read-json.ts'
import type { JsonPath } from './shape.ts'

/** Calls `visit` with each text in the value and its path. Parts that nest deeper than anything that is read are left out. */
export function eachText(value: unknown, visit: (path: JsonPath, text: string) => void): void {
  const path: (string | number)[] = []
  const walk = (part: unknown): void => {
    if (typeof part === 'string') visit([...path], part)
    else if (path.length >= maxJsonDepth) return
    else if (Array.isArray(part)) for (const [i, entry] of part.entries()) below(i, entry)
    else if (isJson(part)) for (const name of Object.keys(part)) below(name, part[name])
  }
  const below = (step: string | number, part: unknown) => {
    path.push(step)
    walk(part)
    path.pop()
  }
  walk(value)
}
