/** The commands of guides work and print what the guides say. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withoutRedis } from '../../packages/testkit/src/redis-server/redis-server.ts'
import { findMissingLine, readGuide } from './read-guide.mjs'
import { runGuide } from './run-guide.mjs'

const root = join(import.meta.dirname, '..', '..')
const guides = [
  'README.md',
  'docs/verification.md',
  ...['configuration', 'redis-counters', 'redis-layout', 'routing', 'support'].map(
    (name) => `docs/reference/${name}.md`,
  ),
  ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
]

/** Why commands are not run, by the word that guides use. */
const reasons = ['needs-root', 'needs-docker', 'needs-network', 'needs-original-gateway', 'runs-long']

describe.each(guides)('%s', { timeout: 180_000 }, (name) => {
  const blocks = readGuide(readFileSync(join(root, name), 'utf8'), name)

  it('says why commands are not run', () => {
    const given = blocks.flatMap((block: { reason?: string }) => block.reason ?? [])
    expect(given.filter((reason: string) => !reasons.includes(reason))).toEqual([])
  })

  const skipped = blocks.some(({ text }: { text: string }) => text.includes('redis-server')) ? withoutRedis : undefined
  it.skipIf(skipped)(skipped === undefined ? 'works' : `works, not run: ${skipped}`, async () => {
    await runGuide(blocks, name)
  })
})

describe('the blocks of a guide', () => {
  it('need a mark if they are commands', () => {
    expect(() => readGuide('text\n\n```sh\nls\n```\n', 'page.md')).toThrow('page.md:3: commands need a mark')
    expect(readGuide('```json file=a.json\n{}\n```\n\n```sh run exit=1\nls\n```\n', 'page.md')).toEqual([
      { kind: 'file', file: 'a.json', text: '{}\n', line: 1 },
      { kind: 'run', text: 'ls\n', background: false, exit: 1, line: 5 },
    ])
  })

  it('have output in its order', () => {
    expect(findMissingLine('a … c\nd', 'x\na b c\ny\n  d\n')).toBeUndefined()
    expect(findMissingLine('d\na', 'a\nd\n')).toBe('a')
  })

  it('fail with the line of the block and what it printed', async () => {
    const failing = readGuide('```sh run\necho seen; false\n```\n', 'page.md')
    await expect(runGuide(failing, 'page.md')).rejects.toThrow(/page\.md:1: exit code 1, expected 0[\s\S]*seen/)
    const lacking = readGuide('```sh run\necho one\n```\n\n```text output\ntwo\n```\n', 'page.md')
    await expect(runGuide(lacking, 'page.md')).rejects.toThrow('page.md:5: the output lacks the line: two')
  })
})
