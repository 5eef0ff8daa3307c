/**
 * Verifies the files of uWebSockets.js before they are loaded. Its package contains binaries, which nobody can review, so
 * the gateway loads only those whose SHA-256 is in the list of this repository.
 */
import { hash as hashOf } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { uwsHashes, uwsVersion } from './uws-hashes.ts'

/** Installs the version whose files are in the list. It is not a dependency, because it takes 133 MB. */
export const uwsInstallCommand = `npm install uWebSockets.js@npm:uws-pack@${uwsVersion}`

/** The file with the binary for this process, relative to the package. */
const binary = `dist/bin/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

/** Returns why the package cannot run on this platform and version of Node; `undefined`: it has a binary for them. */
export function missingUwsBinary(hashes: Readonly<Record<string, string>> = uwsHashes): string | undefined {
  return hashes[binary] === undefined ? `version ${uwsVersion} has no ${binary}` : undefined
}

/**
 * Returns why the package must not be loaded, on one line; `undefined`: all its files are known. `entry` is the URL of
 * the module that an import of the package loads.
 */
export async function findUwsProblem(
  entry: string,
  hashes: Readonly<Record<string, string>> = uwsHashes,
): Promise<string | undefined> {
  const missing = missingUwsBinary(hashes)
  if (missing !== undefined) return missing
  for (const file of ['dist/index.mjs', 'dist/uws.mjs', binary]) {
    const hash = hashOf('sha256', await readFile(new URL(`../${file}`, entry)))
    if (hash !== hashes[file]) {
      return `${file} is not the file of uws-pack ${uwsVersion} (its SHA-256 is ${hash}): ${uwsInstallCommand}`
    }
  }
  return undefined
}
