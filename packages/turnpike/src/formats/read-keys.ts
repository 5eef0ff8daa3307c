/** Keys of an owner: exports of a dashboard, sessions in files that have the key's name, or a map of sessions by key. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isJson, textOf } from '@turnpike/core/lib'
import { plainObject } from './extended-json.ts'
import { type Found, type FoundKey, nothingFound } from './found.ts'
import { readFiles } from './read-files.ts'
import { keyOfExport } from './read-values.ts'

const sessionMembers = ['access_rights', 'apply_policies', 'apply_policy_id', 'quota_max', 'rate', 'allowance']

/** Reads a file, or the files directly in a folder. Files without a key are in `leftOut`. */
export function readKeys(path: string): Found {
  const found = nothingFound()
  const isFolder = statSync(path).isDirectory()
  const files = isFolder
    ? readdirSync(path)
        .filter((name) => /\.(json|ya?ml)$/i.test(name))
        .sort()
    : [basename(path)]
  for (const name of files) {
    const source = isFolder ? join(path, name) : path
    const read = readFiles([source])
    const keys = read.values.flatMap(({ value }) => keysOf(value, source))
    found.keys.push(...keys)
    const [problem] = read.found.leftOut
    if (keys.length === 0) found.leftOut.push(problem ?? { source, reason: 'contains no key' })
  }
  return found
}

function keysOf(value: unknown, source: string): FoundKey[] {
  if (Array.isArray(value)) return value.flatMap((entry) => keysOf(entry, source))
  if (!isJson(value)) return []
  const exported = keyOfExport(value, source)
  if (exported !== undefined) return [exported]
  if (isSession(value)) {
    const { key, key_id: id, ...session } = value
    const name = textOf(id) || textOf(key) || basename(source).replace(/\.(json|ya?ml)$/i, '')
    return [{ source, name, isHash: false, session: plainObject(session) }]
  }
  const members = Object.entries(value).filter(([name]) => name !== '$schema')
  if (members.length === 0 || !members.every(([, member]) => isSession(member))) return []
  return members.map(([name, session]) => ({
    source,
    name,
    isHash: false,
    session: plainObject(session as object as typeof value),
  }))
}

function isSession(value: unknown): boolean {
  return isJson(value) && sessionMembers.some((name) => name in value)
}
