#!/usr/bin/env node
// Measures this gateway beside the commit from which its simplification began, and writes the table into
// docs/performance.md.
//
//   node scripts/before-after-page.mjs [--measure [--quick]]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runMeasuredPage, writeDocument } from './bench/measured-page.mjs'
import { beforeAfterFile, performancePage } from './performance/page.mjs'

/** The last commit before the change of the structure. */
const commit = '13d3304b'

await runMeasuredPage({
  script: 'before-after-page.mjs',
  part: 'before-after',
  json: beforeAfterFile,
  page: 'the part "Before and after" of docs/performance.md',
  duration: { whole: 'about 15 minutes', quick: 'about 5 minutes' },
  needs: 'nginx, wrk, git and the history of the repository',
  write: (result) =>
    writeDocument(
      'docs/performance.md',
      performancePage(readFileSync(join(root, 'docs', 'performance.md'), 'utf8'), [], result),
    ),
  prepare() {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-before-'))
    const run = (command, args, cwd = root) => {
      if (spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0) return
      console.error(`error: ${command} ${args.join(' ')} failed`)
      cleanUp()
      process.exit(1)
    }
    const cleanUp = () => {
      spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root, stdio: 'ignore' })
      rmSync(folder, { recursive: true, force: true })
    }
    run('git', ['worktree', 'add', '--detach', folder, commit])
    run(process.execPath, ['scripts/setup.mjs', '--build'], folder)
    return { args: ['--before', folder], cleanUp }
  },
})
