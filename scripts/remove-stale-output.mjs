#!/usr/bin/env node
// Removes files of earlier builds from the `dist` folders of the packages: source maps, which are no longer written, and the
// output of modules that were renamed or removed. tsc leaves such files, and they would be packed and published.
//
//   node scripts/remove-stale-output.mjs
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages')

/** The paths of the stale files of a package. `folder` contains `src` and `dist`. */
export function staleFiles(folder) {
  const output = join(folder, 'dist')
  if (!existsSync(output)) return []
  return readdirSync(output, { recursive: true })
    .filter((file) => !file.startsWith('bundle') && isStale(file, join(folder, 'src')))
    .map((file) => join(output, file))
}

/** scripts/commonjs-entries.mjs removes its own files, and scripts/bundle.mjs writes the folder `bundle`. */
function isStale(file, sources) {
  if (file.endsWith('.map')) return true
  const module = /^(.+?)(?:\.d\.ts|\.js)$/.exec(file)?.[1]
  return module !== undefined && !existsSync(join(sources, `${module}.ts`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of readdirSync(packages)) for (const file of staleFiles(join(packages, name))) rmSync(file)
}
