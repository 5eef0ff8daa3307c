// The pinned pnpm. npm installs it from scripts/pnpm/package-lock.json, which has the SHA-512 of its packages, so that npm
// rejects changed ones. The file has the binaries for Linux with glibc. On other platforms npm installs no binary: pnpm's
// own launcher, which the file pins, downloads the one of its version and rejects it without a valid signature of the npm
// registry.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './quiet-steps.mjs'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'pnpm')
const installed = join(folder, 'node_modules', 'pnpm')
const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))

/** The version of scripts/pnpm/package.json. */
export function pinnedVersion() {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies.pnpm
}

/** Command and first arguments of the pinned pnpm, which is installed if it is missing. Rejects if that fails. */
export async function pinnedPnpm() {
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
      ...(hasPinnedBinary() ? [] : ['--omit=optional']),
    ]
    await runQuietly('npm', args, { cwd: folder })
  }
  return [process.execPath, [join(installed, 'bin', 'pnpm.mjs')]]
}

/** Whether the lock file has the binary for this computer; otherwise npm must not install one without a hash. */
export function hasPinnedBinary({ platform, arch, isMusl } = thisComputer()) {
  return `node_modules/@pnpm/exe.${platform}-${arch}${isMusl ? '-musl' : ''}` in lock.packages
}

function thisComputer() {
  const { platform, arch } = process
  const isMusl = platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined
  return { platform, arch, isMusl }
}

function installedVersion() {
  const manifest = join(installed, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}
