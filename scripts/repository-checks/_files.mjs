// Shared by the repository checks: lists the files of the project and reports problems.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Paths of tracked files, and of untracked ones that git does not ignore. */
export function projectFiles() {
  const out = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  return [...new Set(out.toString().split('\0'))].filter((file) => file !== '' && existsSync(join(root, file)))
}

export const read = (file) => readFileSync(join(root, file), 'utf8')

/** Prints the problems and exits with 1 if there are any. */
export function report(rule, problems) {
  for (const problem of problems) console.log(problem)
  console.log(problems.length === 0 ? `${rule}: kept` : `${rule}: ${problems.length} broken`)
  process.exit(problems.length === 0 ? 0 : 1)
}
