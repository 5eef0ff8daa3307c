import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Returns the path of a file of this package. It is resolved by name, because a bundle is in another folder. */
export function packageFile(...names: readonly string[]): string {
  return join(dirname(createRequire(import.meta.url).resolve('turnpike/package.json')), ...names)
}
