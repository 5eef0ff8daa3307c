#!/usr/bin/env node
// Generates the reference of the library (docs/library, not committed) from the types of the published entry points.
//
//   node scripts/docs/library.mjs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const target = join(root, 'docs', 'library')

/** Entry points, by the name under which programs import them. docs/tsconfig.json lists the same files. */
const entryPoints = {
  turnpike: 'packages/turnpike/src/index.ts',
  'turnpike/embedding': 'packages/turnpike/src/embedding.ts',
  'turnpike/client': 'packages/turnpike/src/client/index.ts',
}
const fileOf = (name) => name.replace('@', '').replaceAll('/', '-')

// TypeDoc needs a TypeScript with the compiler interface of version 6, which only the package of docs/ has.
const typedoc = createRequire(join(root, 'docs/package.json')).resolve('typedoc')
const { Application, LogLevel } = await import(pathToFileURL(typedoc).href)

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  basePath: root,
  tsconfig: join(root, 'docs', 'tsconfig.json'),
  entryPoints: Object.values(entryPoints).map((file) => join(root, file)),
  out: target,
  readme: 'none',
  router: 'module',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  excludeExternals: true,
  excludePrivate: true,
  disableSources: true,
  useCodeBlocks: true,
  kindSortOrder: ['Function', 'Class', 'Interface', 'TypeAlias', 'Variable'],
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  // The build checks the types.
  skipErrorChecking: true,
  logLevel: LogLevel.Warn,
})
const project = await app.convert()
if (project === undefined) process.exit(1)
const names = new Map(Object.entries(entryPoints).map(([name, file]) => [file.replace(/(\/index)?\.ts$/, ''), name]))
for (const module of project.children) module.name = fileOf(names.get(module.name) ?? module.name)
await app.generateOutputs(project)
rmSync(join(target, 'README.md'))
for (const name of Object.keys(entryPoints)) {
  const page = join(target, `${fileOf(name)}.md`)
  writeFileSync(page, readFileSync(page, 'utf8').replace(/^# .*$/m, `# ${name}`))
}
const pages = Object.keys(entryPoints).map((name) => ({ text: name, link: `/library/${fileOf(name)}` }))
writeFileSync(join(target, 'pages.json'), JSON.stringify(pages))
