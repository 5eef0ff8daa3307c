// VitePress checks that linked pages exist. This checks the part behind `#`.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Throws if a link in the built pages of `folder` leads to a heading that its page does not have. */
export function checkAnchors(folder, base) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html'))
  const pages = new Map(files.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]))
  const ids = new Map([...pages].map(([name, text]) => [name, new Set(attributes(text, 'id'))]))
  const dead = []
  for (const [name, text] of pages) {
    for (const href of attributes(text, 'href')) {
      const [path, anchor] = href.split('#')
      if (anchor === undefined || anchor === '' || /^[a-z]+:/.test(href)) continue
      const target = path === '' ? name : targetOf(path, name, base)
      const wanted = decodeURIComponent(anchor)
      if (ids.get(target)?.has(wanted) !== true) dead.push(`${name}: ${href}`)
    }
  }
  if (dead.length > 0) throw new Error(`links to missing headings:\n  ${[...new Set(dead)].join('\n  ')}`)
}

function targetOf(path, from, base) {
  const file = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(from), path)
  return file === '' || file.endsWith('/') ? `${file}index.html` : file
}

function attributes(html, name) {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value.replaceAll('&amp;', '&'))
}
