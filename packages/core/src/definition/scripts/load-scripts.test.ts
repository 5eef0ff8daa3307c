import { describe, expect, it } from 'vitest'
import { scriptsOn } from '../../../test/support/fake-scripts.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { classicShape } from '../classic.ts'
import { normaliseDefinition } from '../normalise.ts'
import { withScripts } from './load-scripts.ts'
import type { ScriptBundle, ScriptFiles } from './script-files.ts'

/** Files by path; the text of each is its path. */
function filesOf(paths: readonly string[], bundle: ScriptBundle = { kind: 'disabled' }): ScriptFiles {
  return {
    read: async (path) => (paths.includes(path) ? path : undefined),
    list: async (folder) =>
      paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
    bundle: async () => bundle,
  }
}

function load(definition: object, files: ScriptFiles, settings = scriptsOn) {
  const { value } = readShape(classicShape, { api_id: 'a', ...definition })
  return withScripts(normaliseDefinition(value, { source: 'a.json', hash: 'h' }), settings, files)
}

async function scriptsOf(...given: Parameters<typeof load>) {
  const loaded = await load(...given)
  if ('problem' in loaded) throw new Error(loaded.problem)
  const { scripts } = loaded.definition
  return { ...scripts, names: scripts?.sources.map(({ name }) => name), hash: loaded.definition.hash }
}

const entry = (name: string, more: object = {}) => ({ name, path: `${name}.js`, ...more })

describe('the sources of an API', () => {
  it('are read in their order', async () => {
    const virtual = [
      { path: '/b', method: 'GET', function_source_type: 'blob', function_source_uri: btoa('blob') },
      { path: '/e', method: 'GET', function_source_type: 'file', function_source_uri: 'e.js' },
    ]
    const version = { name: 'v', use_extended_paths: true, extended_paths: { virtual } }
    const definition = {
      version_data: { not_versioned: true, versions: { v: version } },
      custom_middleware: {
        driver: 'otto',
        pre: [entry('pre')],
        post: [entry('post')],
        post_key_auth: [entry('pka')],
        auth_check: entry('auth'),
      },
    }
    const folder = ['pre', 'auth', 'post_auth', 'post'].map((name) => `middleware/a/${name}/f.js`)
    const paths = ['common.js', 'e.js', 'pre.js', 'post.js', 'pka.js', 'auth.js', ...folder]
    const { names } = await scriptsOf(definition, filesOf(paths), { ...scriptsOn, commonFile: 'common.js' })
    expect(names).toEqual([
      'common.js',
      'scripted endpoint GET /b',
      'e.js',
      'auth.js',
      'pre.js',
      'post.js',
      ...folder,
      'pka.js',
    ])
  })

  it('come from the folder too, behind the entries of the definition', async () => {
    const paths = ['one.js', 'middleware/a/pre/two_with_session.x.js', 'middleware/a/pre/notes.txt']
    const { pre } = await scriptsOf({ custom_middleware: { driver: 'otto', pre: [entry('one')] } }, filesOf(paths))
    expect(pre).toEqual([
      { name: 'one', requireSession: false },
      { name: 'two_with_session', requireSession: true },
    ])
  })

  it('that cannot be read are listed, and those of disabled entries are not read', async () => {
    const pre = [entry('missing'), { name: 'x', path: 'x.txt' }, entry('off', { disabled: true })]
    const { names, unread } = await scriptsOf({ custom_middleware: { driver: 'otto', pre } }, filesOf(['x.txt']))
    expect([names, unread?.map(({ source }) => source)]).toEqual([[], ['missing.js', 'x.txt']])
  })

  it('of a bundle take the place of those of the definition', async () => {
    const scripts = readShape(classicShape, { custom_middleware: { driver: 'otto', post: [entry('in')] } }).value
    const bundle = { kind: 'bundle', folder: '/b', scripts: scripts.customMiddleware } as const
    const definition = { custom_middleware_bundle: 'b.zip', custom_middleware: { driver: 'otto', pre: [entry('own')] } }
    const { pre, post, names } = await scriptsOf(definition, filesOf(['/b/in.js', 'own.js'], bundle))
    expect([pre, post?.map(({ name }) => name), names]).toEqual([[], ['in'], ['/b/in.js']])
  })

  it('change the hash of the definition', async () => {
    const definition = { custom_middleware: { driver: 'otto', pre: [entry('one')] } }
    const [known, missing] = await Promise.all([['one.js'], []].map((paths) => scriptsOf(definition, filesOf(paths))))
    expect(known?.hash).not.toBe(missing?.hash)
  })

  it('make the definition unusable if its bundle cannot be loaded', async () => {
    const files = filesOf([], { kind: 'failed', problem: 'its checksum is wrong' })
    expect(await load({ custom_middleware_bundle: 'b.zip' }, files)).toEqual({ problem: 'its checksum is wrong' })
  })
})
