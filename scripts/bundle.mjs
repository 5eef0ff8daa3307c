#!/usr/bin/env node
// Bundles the command line of packages/turnpike into a few files in packages/turnpike/dist/bundle, from which
// bin/turnpike.js runs. Loading several hundred modules one by one takes most of the time until the first response; see
// docs/decisions/0008-start.md. The bundle is part of the published package.
//
//   node scripts/bundle.mjs
//
// Does nothing while the bundle is newer than the packages in it.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packages = join(root, 'packages')
const cli = join(packages, 'turnpike', 'dist', 'cli')
const bundle = join(packages, 'turnpike', 'dist', 'bundle')

/** Small dependencies of turnpike that every command loads. */
const inBundle = ['commander']
/** Every gateway with the embedded store loads it. As CommonJS it is one file, which loads in half of the time. */
const required = ['lmdb']
/** Large packages that many gateways do not need, with the exports that are used. They are loaded with the first use. */
const requiredAtUse = {
  re2js: ['RE2JS'],
  'js-yaml': ['parseEvents', 'getScalarValue', 'YAMLException'],
  msgpackr: ['Packr'],
}

const requirePlugin = {
  name: 'require',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${[...required, ...Object.keys(requiredAtUse)].join('|')})$`)
    onResolve({ filter }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'require' },
    )
    onLoad({ filter: /./, namespace: 'require' }, ({ path }) => {
      const getters = requiredAtUse[path]?.map((name) => `get ${name}() { return require('${path}').${name} }`)
      return { contents: `module.exports = ${getters === undefined ? `require('${path}')` : `{ ${getters} }`}` }
    })
  },
}

if (isFresh()) process.exit(0)
rmSync(bundle, { recursive: true, force: true })
const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(packages, 'turnpike', 'package.json'), 'utf8'),
)
const { metafile } = await build({
  entryPoints: [join(cli, 'main.js'), join(cli, 'process-io.js')],
  outdir: bundle,
  bundle: true,
  metafile: true,
  format: 'esm',
  // A module that is imported dynamically stays in a file of its own, which is loaded when it is needed.
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
  // Node reads fewer bytes at each start. Names and short lines stay, so that stack traces can be read.
  minifyWhitespace: true,
  lineLimit: 120,
  // Packages with a native binary, and those that few gateways load, are installed with turnpike and imported by name.
  external: Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    (name) => !name.startsWith('@turnpike/') && !inBundle.includes(name),
  ),
  plugins: [requirePlugin],
  // Packages in CommonJS that are part of the bundle require Node's modules.
  banner: { js: "import nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);" },
})
checkPaths()
checkDynamicImports(metafile)

function isFresh() {
  const made = join(bundle, 'main.js')
  if (!existsSync(made)) return false
  const stamps = readdirSync(packages).map((name) => join(packages, name, 'dist', '.tsbuildinfo'))
  const inputs = [...stamps.filter(existsSync), fileURLToPath(import.meta.url), join(root, 'pnpm-lock.yaml')]
  return inputs.every((file) => statSync(file).mtimeMs < statSync(made).mtimeMs)
}

/** A path relative to a module is wrong in the bundle. */
function checkPaths() {
  for (const name of readdirSync(bundle).filter((file) => file.endsWith('.js'))) {
    const found = /new URL\([^)]*import\.meta\.url\)/.exec(readFileSync(join(bundle, name), 'utf8'))
    if (found === null) continue
    console.error(`${name}: ${found[0]} does not work in the bundle; resolve the path by the package's name instead`)
    process.exitCode = 1
  }
}

/**
 * A dynamic import of a package uses all exports of its index, so a start that imports anything else from that package
 * loads all modules of it.
 */
function checkDynamicImports({ inputs }) {
  const imports = Object.entries(inputs).flatMap(([file, input]) => input.imports.map((one) => ({ file, ...one })))
  const isStatic = new Set(imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path))
  for (const { file, kind, path } of imports) {
    if (kind !== 'dynamic-import' || !path.endsWith('/dist/index.js') || !isStatic.has(path)) continue
    console.error(
      `${file}: import() of ${path} loads the whole package with each start; import what you need statically`,
    )
    process.exitCode = 1
  }
}
