/** What commands do without a usable configuration file. */
import { formatFinding } from '../config/finding.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { type ExitCode, exitCodes } from '../terminal/io.ts'

/** The exit code for an invalid configuration: a file that does not exist is a mistake in the command line. */
export function codeOfInvalidConfig({ origin }: Pick<LoadedConfig, 'origin'>): ExitCode {
  return origin === 'missing' || origin === 'none' ? exitCodes.wrongUse : exitCodes.found
}

/** Returns how to get a configuration if none was named or found; `undefined` if there is one. */
export function findMissingConfig({ origin }: Pick<LoadedConfig, 'origin'>, cwd: string): string | undefined {
  if (origin !== 'none') return undefined
  return `there is no gateway.json in ${cwd}; create a gateway with: turnpike init, or name a configuration with --conf`
}

/** Returns the lines that say why the configuration is invalid. */
export function configErrors({ findings }: Pick<LoadedConfig, 'findings'>): string[] {
  return findings.filter(({ severity }) => severity === 'error').map(formatFinding)
}
