import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { configKeys } from '../../test/support/config-keys.ts'
import { configSupport } from './config-support.ts'

interface Row {
  readonly page: string
  readonly key: string
  /** What the other columns say about the key; empty if the table does not describe effects. */
  readonly meaning: string
}

const docs = fileURLToPath(new URL('../../../../docs/', import.meta.url))
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))

/** First column of tables of configuration keys: "Key", "Configuration key", "Key of `storage`". */
const keyColumn = /^(?:configuration )?key(?: of `([\w.]+)`)?$/i

/** A name that begins with a point continues the group of the name before it: `dns_cache.enabled`, `.ttl`. */
function keysOf(cell: string, group: string | undefined): string[] {
  let last = ''
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    last = name.startsWith('.') ? last.slice(0, last.lastIndexOf('.')) + name : name
    return group === undefined ? last : `${group}.${last}`
  })
}

function rowsOf(page: string): Row[] {
  const rows: Row[] = []
  let column: RegExpExecArray | null = null
  let meaningAt = -1
  for (const line of readFileSync(docs + page, 'utf8').split('\n')) {
    const [, first = '', ...cells] = line.split('|').map((cell) => cell.trim())
    if (!line.startsWith('|')) column = null
    else if (keyColumn.test(first)) {
      column = keyColumn.exec(first)
      meaningAt = cells.findIndex((cell) => cell.toLowerCase() === 'meaning')
    } else if (column !== null) {
      rows.push(...keysOf(first, column[1]).map((key) => ({ page, key, meaning: cells[meaningAt] ?? '' })))
    }
  }
  return rows
}

/** A group such as `dashboard.*` or `ports_whitelist` is supported if it has a key. */
function statusOf(key: string): string | undefined {
  const group = `${key.replace(/\.\*$/, '')}.`
  const exists = configKeys.has(key) || [...configKeys].some((path) => path.startsWith(group))
  return configSupport.get(key)?.status ?? (exists ? 'supported' : undefined)
}

describe('the tables of configuration keys in docs', () => {
  const rows = pages.flatMap(rowsOf)

  it('are found', () => {
    expect(new Set(rows.map(({ page }) => page)).size).toBeGreaterThan(9)
  })

  it('name only keys that exist', () => {
    expect(rows.filter(({ key }) => statusOf(key) === undefined)).toEqual([])
  })

  it('say "no effect" exactly for the keys without effect', () => {
    const described = rows.filter(({ meaning }) => meaning !== '')
    const saysSo = ({ meaning }: Row) => /^no effect\b/i.test(meaning)
    expect(described.filter((row) => saysSo(row) !== (statusOf(row.key) === 'ignored'))).toEqual([])
  })
})
