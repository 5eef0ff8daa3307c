// Shared by the house rules: which files the project has, and how a rule reports.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Files that git knows or would take, by path from the root. */
export function projectFiles() {
  const out = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  return [...new Set(out.toString().split('\0'))].filter((file) => file !== '' && existsSync(join(root, file)))
}

export const read = (file) => readFileSync(join(root, file), 'utf8')

/** Prints what was found and ends with the exit code that says so. */
export function report(rule, problems) {
  for (const problem of problems) console.log(problem)
  console.log(problems.length === 0 ? `${rule}: kept` : `${rule}: ${problems.length} broken`)
  process.exit(problems.length === 0 ? 0 : 1)
}
