import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bundleDocument } from './bundle-document.ts'

function bundle(files: Readonly<Record<string, object>>, root: Readonly<Record<string, unknown>>) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, value] of Object.entries({ ...files, 'root.json': root })) {
    writeFileSync(join(folder, name), JSON.stringify(value))
  }
  return bundleDocument(root, join(folder, 'root.json'))
}

it('names references whose path or pointer has a broken escape', () => {
  const { unread } = bundle({ 'b.json': { a: 1 } }, { x: { $ref: '%zz.json' }, y: { $ref: 'b.json#/%zz' } })
  expect(unread.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
    'x: does not exist',
    'y: b.json has no /%zz',
  ])
})

it('has a bounded size where values that are written in place refer to themselves', () => {
  const { unread } = bundle({ 'b.json': { x: { $ref: 'b.json' }, y: { $ref: 'b.json' } } }, { z: { $ref: 'b.json' } })
  expect(unread.at(-1)?.reason).toBe('the document has more than 1000000 values already')
})

it('follows a reference in place of a whole section, and names a reference of a component once', () => {
  const files = {
    'schemas.json': { A: { $ref: 'a.json' }, B: { type: 'string' } },
    'a.json': { properties: { b: { $ref: 'schemas.json#/B' }, c: { $ref: 'none.json' }, self: { $ref: 'a.json' } } },
  }
  const schema = { $ref: 'a.json' }
  const { document, unread } = bundle(files, {
    paths: { '/a': { get: { parameters: [{ name: 'a', in: 'query', schema }] } } },
    components: { schemas: { $ref: 'schemas.json' } },
  })
  expect(JSON.stringify(document)).not.toMatch(/"\$ref":"(?:schemas|a)\.json/)
  expect(document['components']).toMatchObject({ schemas: { B: { type: 'string' } } })
  const places = unread.map(({ place }) => place)
  expect(places).toEqual([...new Set(places)])
})
