// Every member of a gateway and every export of the package that the documents and examples name exists.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as turnpike from './index.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const files = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync(`${root}packages`).map((name) => `packages/${name}/README.md`),
  ...under('docs', /\.md$/),
  ...under('examples', /\.(md|js|ts)$/),
]

function under(folder: string, ending: RegExp): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : under(name, ending)
    return ending.test(entry.name) ? [name] : []
  })
}

/** File names such as `gateway.json` and `gateway.log`. */
const fileEndings = /^(json|yaml|yml|conf|log|ts|js|mjs|html|md|service|sock|pid)$/

interface Named {
  readonly file: string
  readonly name: string
}

function namedIn(pattern: RegExp): Named[] {
  return files.flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(pattern)].map(([, name = '']) => ({ file, name })),
  )
}

let gateway: turnpike.Gateway
beforeAll(async () => {
  gateway = await turnpike.createGateway()
})
afterAll(() => gateway.close(0))

describe('the documents', () => {
  it('name only members of a gateway that exist', () => {
    // A call, or a name in backticks; hosts such as gateway.example.com are neither.
    const named = [
      ...namedIn(/\bgateway\.([a-zA-Z]+(?:\.[a-zA-Z]+)?)\(/g),
      ...namedIn(/`gateway\.([a-zA-Z]+(?:\.[a-zA-Z]+)?)`/g),
    ].filter(({ name }) => !fileEndings.test(name))
    expect(named.length).toBeGreaterThan(20)
    const missing = named.filter(({ name }) => memberAt(name) === undefined)
    expect(missing).toEqual([])
  })

  it('import only names that the package exports', () => {
    const lists = namedIn(/import \{([^}]*)\} from 'turnpike'/g)
    const imports = lists.flatMap(({ file, name: list }) =>
      list
        .split(',')
        .map((one) => one.trim().split(' as ')[0] as string)
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => ({ file, name })),
    )
    expect(imports.length).toBeGreaterThan(5)
    expect(imports.filter(({ name }) => !(name in turnpike))).toEqual([])
  })
})

function memberAt(path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], gateway)
}
