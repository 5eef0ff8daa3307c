import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import { escapePath } from './escape-path.ts'

it.each([
  ['/A-z_0.9~$a&b+c,d:e;f=g@h', '/A-z_0.9~$a&b+c,d:e;f=g@h'],
  ['/p(1)!', '/p%281%29%21'],
  ["/wow!*it's", '/wow%21%2Ait%27s'],
  ['/q[0]{n}|^`<b>"\\', '/q%5B0%5D%7Bn%7D%7C%5E%60%3Cb%3E%22%5C'],
  ['/50%', '/50%25'],
  ['/é 😀', '/%C3%A9%20%F0%9F%98%80'],
  ['/p%281(2)[3]', '/p%281(2)[3]'],
  ['/a%2Fb{c}', '/a%2Fb%7Bc%7D'],
  ['/a%2Fbé', '/a%2Fb%C3%A9'],
])('%s reaches the upstream as %s', (path, escaped) => {
  expect(escapePath(path)).toBe(escaped)
})

test.prop([fc.string({ unit: 'binary' }).map((text) => `/${text}`)])('contains only characters of a path', (path) => {
  const escaped = escapePath(path)
  expect(escaped).toMatch(/^[!$-;=@-[\]_a-z~]*$/)
  expect(escapePath(escaped)).toBe(escaped)
})
