/**
 * `turnpike verify`, `sim`, `bench` and `judge`. They are in the packages @turnpike/dev and @turnpike/judge, so that
 * users who only run gateways do not install test libraries.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'

export const devCommands = {
  verify:
    'report what the files guarantee, warn about settings with unexpected effects, and test the guarantees (@turnpike/dev)',
  sim: 'run a scenario of several nodes with failures, in one process and on virtual time (@turnpike/dev)',
  bench: 'measure what your definitions cost: stages, batches, reloads (@turnpike/dev)',
  judge: 'find mistakes in the rate limits of any gateway, over HTTP (@turnpike/judge)',
} as const

/** The package of a command. */
const packageOf = (command: string | undefined) => (command === 'judge' ? '@turnpike/judge' : '@turnpike/dev')

/** The command line for one of the packages; `undefined` if `args` name another command. */
export function findDevCommand(args: readonly string[]): readonly string[] | undefined {
  const [first = '', second = ''] = args
  if (first in devCommands) return args
  return first === 'help' && second in devCommands ? [second, '--help'] : undefined
}

interface DevPackage {
  main(args: readonly string[], io: Io): Promise<ExitCode>
}

export async function runDevCommand(args: readonly string[], io: Io): Promise<ExitCode> {
  const packageName = packageOf(args[0])
  const file = findPackage(packageName, io.cwd)
  if (file === undefined) {
    io.err(`error: turnpike ${args[0]} is in the package ${packageName}; install it: npm install -D ${packageName}`)
    return exitCodes.wrongUse
  }
  const loaded = (await import(pathToFileURL(file).href)) as DevPackage & { readonly default?: DevPackage }
  // `resolve` finds the CommonJS module of an installed package, whose exports are its default export.
  return (loaded.default ?? loaded).main(args, io)
}

/** The project of the caller comes first; a global installation has the package next to this one. */
function findPackage(packageName: string, cwd: string): string | undefined {
  for (const from of [join(cwd, 'package.json'), import.meta.url]) {
    try {
      return createRequire(from).resolve(packageName)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause
    }
  }
  return undefined
}
