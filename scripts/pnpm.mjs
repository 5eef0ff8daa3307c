// The pinned pnpm. npm installs it from scripts/pnpm/package-lock.json, which has the SHA-512 of its packages, so that npm
// refuses changed ones. The file has the binaries for Linux; those of other platforms are not pinned yet.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'pnpm')
const installed = join(folder, 'node_modules', 'pnpm')

/** The version of scripts/pnpm/package.json. */
export function pinnedVersion() {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies.pnpm
}

/** Command and first arguments of the pinned pnpm, which is installed if it is missing. Exits if that fails. */
export function pinnedPnpm() {
  if (installedVersion() !== pinnedVersion()) {
    // Not `npm ci`, which fails if the registry lacks the binaries of other platforms.
    const args = [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel=error',
    ]
    const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
    if (error !== undefined || status !== 0) {
      console.error(`npm install failed in ${folder}${error === undefined ? '' : `: ${error.message}`}`)
      process.exit(1)
    }
  }
  return [process.execPath, [join(installed, 'bin', 'pnpm.mjs')]]
}

function installedVersion() {
  const manifest = join(installed, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}
