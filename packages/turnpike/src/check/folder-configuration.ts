/** Configurations for folders that have none. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configFileIn } from '../config/find-config-file.ts'
import type { ConfigSources } from '../config/load-config.ts'
import { vendorOfText } from '../formats/vendor-word.ts'
import { readFolder } from './read-folder.ts'

/** The configuration of a folder, or one for a folder of definitions. */
export function inFolder(folder: string): Pick<ConfigSources, 'file' | 'document'> {
  const file = configFileIn(folder)
  return file === undefined ? { document: documentOf(folder) } : { file }
}

/** A configuration for a folder of definitions, with the policies beside it. */
export function documentOf(folder: string): Readonly<Record<string, unknown>> {
  const policies = join(folder, '..', 'policies')
  const vendor = vendorOfFolder(folder)
  return {
    listen_address: '127.0.0.1',
    app_path: folder,
    ...(vendor === undefined ? {} : { vendor }),
    ...(existsSync(policies) ? { policies: policiesOf(policies) } : {}),
  }
}

/** A folder with one file of policies by id, or with a policy in each file. */
function policiesOf(folder: string): Readonly<Record<string, unknown>> {
  const record = join(folder, 'policies.json')
  if (existsSync(record)) return { policy_source: 'file', policy_record_name: record }
  return { policy_source: 'file', policy_path: folder }
}

/** The vendor word of the definitions in a folder. */
export function vendorOfFolder(folder: string): string | undefined {
  for (const { text } of readFolder(folder).files) {
    const word = vendorOfText(text ?? '')
    if (word !== undefined) return word
  }
  return undefined
}
