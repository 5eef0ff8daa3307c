/** Repositories of the sync tool: `.tyk.json` lists files of APIs and policies, as a dashboard exports them. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isJson, type Json, listOf, memberOf, textOf } from '@turnpike/core/lib'
import type { DocumentOverrides, Found, FoundApi } from './found.ts'
import { readFiles } from './read-files.ts'

export const syncIndexName = '.tyk.json'

/** Reads the files that the index names. Without lists, all files with the names of a dump count. */
export function readSyncRepository(folder: string): Found {
  const [index, ...rest] = readFiles([join(folder, syncIndexName)]).values
  const found = readFiles([]).found
  if (!isJson(index?.value) || rest.length > 0) {
    found.leftOut.push({ source: join(folder, syncIndexName), reason: 'cannot be read: it must be a JSON object' })
    return found
  }
  const { files, policies, assets } = index.value
  const names = readdirSync(folder).sort()
  const listed = (list: unknown, pattern: RegExp) =>
    Array.isArray(list) && list.length > 0
      ? list.map((entry) => entry as unknown)
      : names.filter((name) => pattern.test(name))
  for (const entry of listed(files, /^(?:api|oas)-.*\.json$/)) addApi(folder, entry, found)
  for (const entry of listed(policies, /^policy-.*\.json$/)) add(folder, entry, found)
  for (const asset of listOf(assets)) {
    const reason = 'is an asset of a dashboard, which has no use here'
    found.leftOut.push({ source: join(folder, fileOf(asset)), reason })
  }
  return found
}

/** An entry of a list is an object with `file`, or the name of the file. */
function fileOf(entry: unknown): string {
  return typeof entry === 'string' ? entry : textOf(memberOf(entry, 'file'))
}

/** Adds what a file contains, and returns it. */
function add(folder: string, entry: unknown, found: Found): Found | undefined {
  const source = join(folder, fileOf(entry))
  if (!existsSync(source)) {
    found.leftOut.push({ source, reason: `does not exist, but ${syncIndexName} names it` })
    return undefined
  }
  const read = readFiles([source]).found
  for (const kind of ['policies', 'keys', 'leftOut'] as const) (found[kind] as unknown[]).push(...read[kind])
  return read
}

function addApi(folder: string, entry: unknown, found: Found): void {
  const read = add(folder, entry, found)
  for (const api of read?.apis ?? []) found.apis.push(withOverrides(api, entry))
}

/** `api_id` and `org_id` of the entry win over those of the file. */
function withOverrides(api: FoundApi, entry: unknown): FoundApi {
  const id = textOf(memberOf(entry, 'api_id')) || api.id
  const org = textOf(memberOf(entry, 'org_id'))
  if (api.kind === 'definition') {
    const value: Json = { ...api.value, ...(id === '' ? {} : { api_id: id }), ...(org === '' ? {} : { org_id: org }) }
    return { ...api, id, value }
  }
  const target = textOf(memberOf(entry, 'oas', 'override_target'))
  const listenPath = textOf(memberOf(entry, 'oas', 'override_listen_path'))
  const overrides: DocumentOverrides = {
    ...(target === '' ? {} : { target }),
    ...(listenPath === '' ? {} : { listenPath }),
  }
  return { ...api, id, overrides }
}
