/**
 * Values as XML, the reverse of `read-xml.ts`: names that begin with a dash are attributes, `#text` is the text, and a
 * list is a repeated element. A map with one name is its own root; otherwise the root is `doc`.
 */
import { escapeXml } from '../text/escape-markup.ts'
import type { Budget } from './budget.ts'
import { formatValue } from './print.ts'
import { isMapping, isNil, type Mapping, sortedEntries, typeName } from './value.ts'

export function writeXml(value: unknown, budget: Budget): string {
  if (!isMapping(value)) {
    if (Array.isArray(value)) return value.map((item) => writeXml(item, budget)).join('')
    return isNil(value) ? '' : element(typeName(value), value, budget)
  }
  const entries = sortedEntries(value, budget)
  const [only] = entries
  const isRoot = entries.length === 1 && only !== undefined && !only[0].startsWith('-') && !Array.isArray(only[1])
  return isRoot ? element(only[0], only[1], budget) : element('doc', value, budget)
}

function element(name: string, value: unknown, budget: Budget): string {
  const tag = elementName(name)
  budget.spend(tag.length * 2 + 8)
  if (Array.isArray(value)) return budget.nested(() => value.map((item) => element(name, item, budget)).join(''))
  if (isMapping(value)) return budget.nested(() => writeMap(tag, value, budget))
  const text = isNil(value) ? '' : escaped(formatValue(value, budget), budget)
  return text === '' ? `<${tag}/>` : `<${tag}>${text}</${tag}>`
}

function writeMap(tag: string, map: Mapping, budget: Budget): string {
  let attributes = ''
  let content = ''
  for (const [name, value] of sortedEntries(map, budget)) {
    if (name === '#text') content += escaped(formatValue(value, budget), budget)
    else if (name.startsWith('-') && name.length > 1) {
      attributes += ` ${elementName(name.slice(1))}="${escaped(formatValue(value, budget), budget)}"`
    } else content += element(name, value, budget)
  }
  return content === '' ? `<${tag}${attributes}/>` : `<${tag}${attributes}>${content}</${tag}>`
}

/** Names come from data. Characters that are not allowed in names are replaced, because they could inject markup. */
function elementName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{Nd}_.:-]/gu, '_')
  return /^[\p{L}_]/u.test(safe) ? safe : `_${safe}`
}

function escaped(text: string, budget: Budget): string {
  budget.spend(text.length)
  return escapeXml(text)
}
