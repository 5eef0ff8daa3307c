// Steps of the commands that prove the project (quick, test, check, nightly): runs programs, counts what passed and what
// failed, and ends with `N passed, N failed`.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const bin = (name) => join(root, 'node_modules', '.bin', name)
export const inCi = process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false'

/** How much of a step's output the end of the run repeats. */
const maxTail = 4000
/** Characters of a step's last line that progress shows. */
const maxLine = 80
/** How often a quiet run says what it is doing. */
const progressMs = 10_000

/**
 * The steps of one run. With `quiet`, a step prints one line when it ends, and its output only if it failed; otherwise
 * its output is shown as it comes.
 */
export class Steps {
  passed = 0
  failed = 0
  #broken = []
  /** What failed, named again at the end, where the thousands of lines before it do not hide it. */
  #failures = []
  #quiet
  /** Steps that run, with the last line that they printed. */
  #running = new Map()
  #started = performance.now()

  constructor({ quiet = false } = {}) {
    this.#quiet = quiet
    if (quiet) setInterval(() => this.#showProgress(), progressMs).unref()
  }

  /** A program that counts as one, by its exit code. */
  async step(title, command, args, env) {
    const { code, tail, seconds } = await this.#run(title, command, args, env)
    this.add(title, code === 0 ? 1 : 0, code === 0 ? 0 : 1, { tail, seconds })
  }

  /** A program whose last line is `N passed, N failed`. */
  async counted(title, command, args, env) {
    const { code, tail, seconds } = await this.#run(title, command, args, env)
    const last = /(\d+) passed, (\d+) failed\s*$/.exec(tail)
    const failed = last === null ? 1 : Math.max(Number(last[2]), code === 0 ? 0 : 1)
    this.add(title, last === null ? 0 : Number(last[1]), failed, { tail, seconds })
  }

  /** A run of vitest. Names the tests that this machine could not run. */
  async vitest(title, args, env) {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
    const report = join(folder, 'vitest.json')
    const reporters = [`--reporter=${this.#quiet ? 'dot' : 'default'}`, '--reporter=json']
    const run = await this.#run(
      title,
      bin('vitest'),
      ['run', ...reporters, `--outputFile.json=${report}`, ...args],
      env,
    )
    const { code, tail, seconds } = run
    try {
      const result = JSON.parse(readFileSync(report, 'utf8'))
      const failures = failuresOf(result)
      const unnamed = code !== 0 && failures.length === 0
      this.add(title, result.numPassedTests, Math.max(failures.length, code === 0 ? 0 : 1), {
        tail: unnamed ? `vitest ended with ${code} without a failed test:\n${tail}` : failures.join('\n\n'),
        seconds,
      })
      if (this.#quiet) console.log(`  slowest files: ${slowestFiles(result).join(', ')}`)
      for (const [why, count] of notRun(result)) console.log(`${count} ${count === 1 ? 'test' : 'tests'} of: ${why}`)
    } catch {
      this.add(title, 0, 1, { tail, seconds })
    }
    rmSync(folder, { recursive: true, force: true })
  }

  /** Adds a result that was found otherwise. */
  add(title, passed, failed, { tail = '', seconds } = {}) {
    this.passed += passed
    this.failed += failed
    if (failed > 0) {
      this.#broken.push(title)
      this.#failures.push(tail === '' ? title : `${title}:\n${tail}`)
    }
    if (!this.#quiet) return
    const time = seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`
    console.log(`${failed > 0 ? '✗' : '✓'} ${title}: ${passed} passed, ${failed} failed${time}`)
  }

  /** Prints what failed and the last line, and exits. */
  finish() {
    for (const failure of this.#failures) console.log(`\nfailed: ${failure}`)
    if (this.#broken.length > 0) console.log(`\nfailed in: ${this.#broken.join('; ')}`)
    if (inCi) console.log('run as in CI')
    console.log(`\n${this.passed} passed, ${this.failed} failed`)
    process.exit(this.failed > 0 ? 1 : 0)
  }

  #showProgress() {
    const now = [...this.#running].map(([title, line]) => (line === '' ? title : `${title} (${line})`))
    if (now.length > 0) console.log(`… ${((performance.now() - this.#started) / 1000).toFixed(0)} s: ${now.join('; ')}`)
  }

  /**
   * Resolves with the exit code, the end of the output and the time that it took. In a quiet run the output is what the
   * program wrote to stdout, because its progress goes to stderr.
   */
  #run(title, command, args, env = {}) {
    const start = performance.now()
    if (this.#quiet) this.#running.set(title, '')
    else console.log(`\n── ${title}`)
    return new Promise((resolve) => {
      const child = spawn(command, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let tail = ''
      let errors = ''
      const end = (code) => {
        this.#running.delete(title)
        resolve({ code, tail: tail.trim() === '' ? errors : tail, seconds: (performance.now() - start) / 1000 })
      }
      child.stdout.on('data', (text) => {
        if (!this.#quiet) process.stdout.write(text)
        tail = (tail + text).slice(-maxTail)
      })
      child.stderr.on('data', (text) => {
        if (this.#quiet) {
          errors = (errors + text).slice(-maxTail)
          this.#running.set(title, errors.trimEnd().split('\n').at(-1).slice(0, maxLine))
          return
        }
        process.stdout.write(text)
        tail = (tail + text).slice(-maxTail)
      })
      child.on('error', (error) => {
        tail = error.message
        end(1)
      })
      child.on('close', end)
    })
  }
}

/** The files that took longest, with seconds: where to look when the run takes longer than it should. */
function slowestFiles({ testResults }) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ file: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 12)
    .map(({ file, seconds }) => `${file} ${seconds.toFixed(0)} s`)
}

/** Titles that say what this machine lacks, and how many tests stand under each. */
function notRun({ testResults }) {
  const counts = new Map()
  for (const { assertionResults } of testResults) {
    for (const { status, ancestorTitles, title } of assertionResults) {
      const why = [...ancestorTitles, title].find((one) => one.includes('not run: '))
      if (status !== 'passed' && status !== 'failed' && why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1)
    }
  }
  return counts
}

/** File, title and the beginning of the message of each failed test, and of each file that could not be loaded. */
function failuresOf({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const tests = assertionResults.filter((test) => test.status === 'failed')
    if (tests.length === 0) return status === 'failed' ? [`${file}\n${message.slice(0, 1500)}`] : []
    return tests.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName}\n${failureMessages.join('\n').slice(0, 1500)}`,
    )
  })
}
