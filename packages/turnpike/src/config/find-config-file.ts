/** Finds the configuration file that a command uses without `--conf`. Source: docs/reference/startup.md#command-line. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Names of configuration files, in the order of preference. */
export const configNames = [
  'gateway.json',
  'gateway.yaml',
  'gateway.yml',
  'turnpike.json',
  'svc.conf',
  'tyk.conf',
] as const

const systemFile = '/etc/svc/svc.conf'

/** Returns the configuration file of a folder, or `undefined` if it contains none. */
export function configFileIn(folder: string): string | undefined {
  return configNames.map((name) => join(folder, name)).find((file) => existsSync(file))
}

/** Returns the configuration file of the folder, or else that of the system. */
export function usualConfigFile(cwd: string): string | undefined {
  return configFileIn(cwd) ?? (existsSync(systemFile) ? systemFile : undefined)
}
