// Imports the shapes, tables and operations from which files are generated. They come from the TypeScript sources, not from
// the build, because the compiler needs the generated files.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const bundle = join(root, 'node_modules', '.turnpike-generate.mjs')

/** Exported names by module below `packages/`. */
const modules = {
  'core/src/definition/classic.ts': ['classicShape'],
  'core/src/definition/openapi/document-schema.ts': ['documentSchemaFor'],
  'core/src/definition/openapi/extension.ts': ['extensionName'],
  'core/src/definition/openapi/extension-shape/extension-shape.ts': ['extensionShape'],
  'core/src/definition/support-status/definition-support.ts': ['definitionSupport'],
  'core/src/definition/openapi/openapi-support.ts': ['extensionSupport'],
  'core/src/definition/support-status/session-support.ts': ['policySupport', 'sessionSupport'],
  'core/src/http/response-schemas.ts': ['responseSchemas'],
  'core/src/ports/session.ts': ['sessionShape'],
  'core/src/session/policies/policy.ts': ['policyShape'],
  'turnpike/src/config/config-shape.ts': ['configShape'],
  'turnpike/src/config/config-support.ts': ['configSupport'],
  'turnpike/src/start/seed.ts': ['seedShape'],
  'mgmt-api/src/whole-document.ts': ['wholeDocument'],
}

/** The modules that import generated files are in the bundle, but nothing of them runs. */
const emptyGenerated = {
  name: 'empty-generated',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/generated\// }, ({ path }) => ({ path, namespace: 'generated' }))
    onLoad({ filter: /./, namespace: 'generated' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Returns the exported values by name, and the paths of all source files that they were made from, below the root. */
export async function importSources() {
  const contents = Object.entries(modules).map(([file, names]) => `export { ${names} } from './packages/${file}'`)
  const { metafile } = await build({
    stdin: { contents: contents.join('\n'), resolveDir: root },
    absWorkingDir: root,
    outfile: bundle,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['source'],
    logLevel: 'warning',
    plugins: [emptyGenerated],
    // Packages in CommonJS that are part of the bundle require Node's modules.
    banner: { js: "import nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);" },
  })
  const inputs = Object.keys(metafile.inputs).filter((file) => file.startsWith('packages/'))
  return { sources: await import(pathToFileURL(bundle).href), inputs }
}
