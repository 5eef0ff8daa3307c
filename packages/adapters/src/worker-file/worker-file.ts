/** Finds the program of a worker thread. */
import { createRequire } from 'node:module'

/**
 * Returns the file of a worker's program. The program is found by package name, because the command line runs from a bundle.
 * Tests resolve packages to their sources, which a worker of Node 20 cannot run, so the compiled file is returned.
 */
export function workerFile(program: 'password-worker' | 'script-worker'): string {
  const file = createRequire(import.meta.url).resolve(`@turnpike/adapters/${program}`)
  return file.endsWith('.ts') ? file.replace('/src/', '/dist/').replace(/ts$/, 'js') : file
}
