// Makes the package.json of a published package. The package.json in the repository names a source, types and a module for
// each entry point; the published one has what every consumer needs: `require` with types of its own, and `main` and
// `typesVersions` for tools that do not read `exports`. .pnpmfile.mjs applies it to everything that pnpm packs.

/** Conditions of an entry point that is a compiled module. Other entry points (`./package.json`) are plain paths. */
const isModule = (target) => typeof target === 'object' && target.default.endsWith('.js')
const commonJs = (file) => file.replace(/\.js$/, '.cjs')
const declarations = (file) => file.replace(/\.js$/, '.d.ts')
const commonJsDeclarations = (file) => file.replace(/\.js$/, '.d.cts')

/** Entry points of a package that are modules: subpath and compiled file. A `*` in both matches the same text. */
export function moduleEntries(manifest) {
  return Object.entries(manifest.exports)
    .filter(([, target]) => isModule(target))
    .map(([subpath, target]) => ({ subpath, file: target.default }))
}

/** Returns the published form of a package.json of this repository. */
export function publishedManifest(manifest) {
  // The manifest of the workspace itself, which is never published.
  if (manifest.exports === undefined) return manifest
  const { exports, devDependencies: _, scripts: __, ...rest } = manifest
  const entries = moduleEntries(manifest)
  const main = entries.find(({ subpath }) => subpath === '.')
  const subpaths = entries.filter((entry) => entry !== main)
  return {
    ...rest,
    ...(rest.peerDependencies?.turnpike !== undefined && {
      // All packages have one version. A gateway of another version would bring a second engine. In the repository the
      // range is open, because changesets would raise the major version with every change of an exact peer dependency.
      peerDependencies: { ...rest.peerDependencies, turnpike: rest.version },
    }),
    ...(main !== undefined && { main: commonJs(main.file), types: commonJsDeclarations(main.file) }),
    ...(subpaths.length > 0 && { typesVersions: { '*': typesBySubpath(subpaths) } }),
    exports: Object.fromEntries(
      Object.entries(exports).map(([subpath, target]) => [
        subpath,
        isModule(target) ? conditionsOf(target.default) : target,
      ]),
    ),
  }
}

function conditionsOf(file) {
  return {
    import: { types: declarations(file), default: file },
    require: { types: commonJsDeclarations(file), default: commonJs(file) },
  }
}

function typesBySubpath(entries) {
  return Object.fromEntries(
    entries.map(({ subpath, file }) => [subpath.slice('./'.length), [commonJsDeclarations(file)]]),
  )
}
