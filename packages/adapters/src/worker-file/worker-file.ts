/** Finds the program of a worker thread. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Compiled files, because Node 20 cannot run the sources that tests import. */
const programs = {
  'password-worker': 'dist/passwords-bcrypt/password-worker.js',
  'script-worker': 'dist/script-quickjs/worker-entry.js',
}

/** Returns the file of a worker's program. The package is found by its name, because the command line runs from a bundle. */
export function workerFile(program: keyof typeof programs): string {
  const manifest = createRequire(import.meta.url).resolve('@turnpike/adapters/package.json')
  return join(dirname(manifest), programs[program])
}
