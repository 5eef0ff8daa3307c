// Links and headings of the site are those that GitHub shows for the same files, so one check covers both
// (scripts/repository-checks/references.mjs). A link that leaves docs/ leads to the repository.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { docsFolder } from './sidebar.mjs'

const root = join(docsFolder, '..')

/** The anchor of a heading, as GitHub makes it. */
export function slugify(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** A plugin of markdown-it that resolves relative links to pages of the site or to the repository. */
export function repositoryLinks(md) {
  const repository = repositoryAddress()
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const folder = posix.dirname(relative(root, env.realPath ?? env.path).replaceAll('\\', '/'))
    for (const { children } of tokens) if (children !== null) rewrite(children, folder, repository)
  })
}

/** A plugin of markdown-it for the anchors in tables of TypeDoc, the only HTML of any page. */
export function tableAnchors(md) {
  md.inline.ruler.before('autolink', 'table-anchors', (state, silent) => {
    const match = /^<a id="([\w-]+)"><\/a>/.exec(state.src.slice(state.pos, state.pos + 200))
    if (match === null) return false
    if (!silent) state.push('html_inline', '', 0).content = match[0]
    state.pos += match[0].length
    return true
  })
}

function rewrite(tokens, folder, repository) {
  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'link_open') continue
    const href = token.attrGet('href')
    if (/^([a-z]+:|#|\/)/.test(href)) continue
    const target = resolveLink(href, folder)
    if (target.page !== undefined) token.attrSet('href', target.page)
    else if (repository !== undefined) token.attrSet('href', `${repository}/blob/main/${target.file}`)
    else unlink(tokens, i)
  }
}

/** Where a relative link of a file in `folder` leads: a page of the site, or a file of the repository. */
export function resolveLink(href, folder) {
  const [path, anchor] = href.split('#')
  const file = posix.normalize(posix.join(folder, decodeURI(path))).replace(/\/$/, '')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (!file.startsWith('docs/')) return { file: file + hash }
  const isFolder = existsSync(join(root, file)) && statSync(join(root, file)).isDirectory()
  const page = (isFolder ? `${file}/README.md` : file).slice('docs'.length).replace(/\/README\.md$/, '/index.md')
  return { page: page + hash }
}

/** Shows the text of a link only. */
function unlink(tokens, start) {
  const end = tokens.findIndex(({ type }, i) => i > start && type === 'link_close')
  for (const i of [start, end])
    Object.assign(tokens[i], { type: 'text', tag: '', nesting: 0, attrs: null, content: '' })
}

/** `repository` of the published package, as a web address; undefined where it has none. */
function repositoryAddress() {
  const { repository } = JSON.parse(readFileSync(join(root, 'packages/turnpike/package.json'), 'utf8'))
  const url = typeof repository === 'string' ? repository : repository?.url
  return url?.replace(/^git\+/, '').replace(/\.git$/, '')
}
