/** Links of the documentation site lead where the same links lead on GitHub. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkAnchors } from '../../docs/.vitepress/check-anchors.mjs'
import { resolveLink, slugify } from '../../docs/.vitepress/links.mjs'

it.each([
  ['../errors.md', 'docs/reference', { page: '/errors.md' }],
  ['reference/README.md#status-lines', 'docs', { page: '/reference/index.md#status-lines' }],
  ['decisions', 'docs', { page: '/decisions/index.md' }],
  ['../packages/core/src/pipeline/stage-order.ts', 'docs', { file: 'packages/core/src/pipeline/stage-order.ts' }],
])('resolves %s in %s', (href, folder, target) => {
  expect(resolveLink(href, folder)).toEqual(target)
})

it('makes anchors as GitHub does', () => {
  expect(slugify('Keys: `rate`, per & more')).toBe('keys-rate-per--more')
})

it('reports links to headings that do not exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-anchors-'))
  try {
    writeFileSync(
      join(folder, 'index.html'),
      '<a href="#top">1</a> <a href="/base/other.html#here">2</a> <h1 id="top">',
    )
    writeFileSync(join(folder, 'other.html'), '<h2 id="here">')
    expect(() => checkAnchors(folder, '/base/')).not.toThrow()
    writeFileSync(join(folder, 'other.html'), '<h2 id="there"> <a href="./index.html#bottom">3</a>')
    expect(() => checkAnchors(folder, '/base/')).toThrow(
      /index\.html: \/base\/other\.html#here\n.*other\.html: .*#bottom/s,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
