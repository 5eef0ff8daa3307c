// Packs packages of this repository into tarballs as they are published: pnpm replaces `workspace:*` by the version, and
// .pnpmfile.mjs makes the published package.json.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pinnedPnpm } from './pnpm.mjs'

const packages = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages')

/** Folder names of all published packages. */
export function publishedPackages() {
  return readdirSync(packages).filter((name) => existsSync(join(packages, name, 'package.json')))
}

/** The package.json of a package in the repository, by folder name. */
export function manifestOf(name) {
  return JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
}

/** Folder names of a package and of the packages of this repository that it needs at run time. */
export function closureOf(name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  for (const dependency of Object.keys(manifestOf(name).dependencies ?? {})) {
    if (dependency.startsWith('@turnpike/')) closureOf(dependency.slice('@turnpike/'.length), found)
  }
  return found
}

/** Packs packages, by folder name, into a folder. Returns the path of the tarball of each. Rejects if pnpm fails. */
export async function packPackages(names, folder) {
  const [command, first] = await pinnedPnpm()
  const queue = [...names]
  const tarballs = new Map()
  const worker = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const args = [...first, 'pack', '--json', '--pack-destination', folder]
      const { stdout } = await promisify(execFile)(command, args, { cwd: join(packages, name) })
      tarballs.set(name, JSON.parse(stdout).filename)
    }
  }
  await Promise.all([worker(), worker()])
  return tarballs
}
