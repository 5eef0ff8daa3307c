/** The sidebar of the documentation site lists each page once. */
import { expect, it } from 'vitest'
import { allPages, linkOf, sidebar } from '../../docs/.vitepress/sidebar.mjs'

const listed = sidebar().flatMap(({ items }) => items.map(({ link }: { link: string }) => link))

it('has every page of docs/', () => {
  const missing = allPages().filter((page) => !listed.includes(linkOf(page)))
  expect(missing, 'add these pages to docs/.vitepress/sidebar.mjs').toEqual([])
})

it('has no page twice', () => {
  expect(listed.filter((link, i) => listed.indexOf(link) !== i)).toEqual([])
})
