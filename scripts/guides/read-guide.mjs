// Reads the code blocks of a guide that a test runs. The words after the language of a block say what it is:
//
//   sh run                   commands, which must end with exit code 0
//   sh run exit=1            commands; the last one ends with this code
//   sh run background        a command that keeps running until the end of the guide, such as `npx turnpike start`
//   sh not-run=REASON        commands that the test does not run
//   json file=apps/a.json    the content of a file of the reader's folder
//   text output              lines that the block before it prints, in this order; … matches any text

/** The marked blocks of a page. Throws at a block of commands without a mark. */
export function readGuide(markdown, name) {
  const blocks = []
  for (const match of markdown.matchAll(/^( *)```(\w+)([^\n]*)\n([\s\S]*?)^\1```$/gm)) {
    const [, indent, language, info, text] = match
    const line = markdown.slice(0, match.index).split('\n').length
    const words = info
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '')
    const content = text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    const block = blockOf(language, words, content)
    if (block === undefined) throw new Error(`${name}:${line}: commands need a mark: run or not-run=REASON`)
    if (block !== null) blocks.push({ ...block, line })
  }
  return blocks
}

/** `null` for a block that is only read; `undefined` for commands without a mark. */
function blockOf(language, words, text) {
  const wordOf = (key) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1)
  const file = wordOf('file')
  if (file !== undefined) return { kind: 'file', file, text }
  if (words.includes('output')) return { kind: 'output', text }
  if (language !== 'sh') return null
  const reason = wordOf('not-run')
  if (reason !== undefined) return { kind: 'not-run', reason, text }
  if (!words.includes('run')) return undefined
  return { kind: 'run', text, background: words.includes('background'), exit: Number(wordOf('exit') ?? 0) }
}

/** Returns the first line of `expected` that `printed` lacks behind the lines before it; `undefined` if it has all. */
export function findMissingLine(expected, printed) {
  const lines = printed.split('\n').map((line) => line.trim())
  let next = 0
  for (const line of expected.split('\n').map((text) => text.trim())) {
    if (line === '' || line === '…') continue
    const pattern = new RegExp(`^${line.split('…').map(escapeRegExp).join('.*')}$`)
    const at = lines.findIndex((text, i) => i >= next && pattern.test(text))
    if (at === -1) return line
    next = at + 1
  }
  return undefined
}

const escapeRegExp = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+')
