// Pages of the documentation that are generated from one part of the benchmarks: command line, measurement and files.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../command-line.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * Runs the script of a page. `script`: its file name; `part`: the part of the benchmarks; `json`: file of the results;
 * `page`: what it writes, in words; `duration`: of a whole and of a quick measurement; `needs`: programs for it;
 * `write(result)` writes the page; `prepare(values)` returns further arguments of the measurement and a function that
 * cleans up.
 */
export async function runMeasuredPage({ script, part, json, page, duration, needs, write, prepare = () => ({}) }) {
  const { values } = readCommandLine({
    usage: `
Usage: node scripts/${script} [OPTIONS]

Writes ${page} from the measurements in ${json}. Needs a build.

  --measure  measure first: ${duration.whole} on an idle machine with ${needs}
  --quick    a shorter measurement: ${duration.quick}
  --help     print this help

Exit codes: 0 fine, 1 the measurement failed, 2 wrong use.`,
    options: { measure: { type: 'boolean' }, quick: { type: 'boolean' } },
  })
  if (values.quick && !values.measure) {
    console.error('error: --quick is an option of --measure (--help lists the options)')
    process.exit(2)
  }
  const file = join(root, json)
  if (values.measure) {
    const { args = [], cleanUp = () => {} } = await prepare(values)
    const words = ['scripts/bench.mjs', '--only', part, '--json', file, ...(values.quick ? ['--quick'] : []), ...args]
    const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' })
    cleanUp()
    if (status !== 0) process.exit(1)
    const biome = join(root, 'node_modules', '.bin', 'biome')
    spawnSync(biome, ['check', '--write', file], { cwd: root, stdio: 'ignore' })
  }
  await write(readMeasured(json))
}

/** Reads a result. `json` is its path below the root. */
export const readMeasured = (json) => JSON.parse(readFileSync(join(root, json), 'utf8'))

export const writeDocument = (path, text) => writeFileSync(join(root, path), text)

/** Date, machine and command of a measurement, and a warning if it was short or the machine was busy. */
export function measuredLine({ at, quick, machine }, script) {
  const { cpu, cores, memoryGiB, kernel, node, load } = machine
  const command = `node scripts/${script} --measure`
  const where = `${cpu}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}, Node ${node}`
  const line = `Measured with \`${command}${quick ? ' --quick' : ''}\` on ${at.slice(0, 10)}, on ${where}, load ${load.toFixed(1)} at the start.`
  const flaws = [...(quick ? ['a short measurement'] : []), ...(load > cores / 4 ? ['on a busy machine'] : [])]
  if (flaws.length === 0) return line
  return `${line}\n\n**Preliminary**: this was ${flaws.join(' ')}. \`${command}\` on an idle machine replaces it.`
}

export function medianOf(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Three significant digits. */
export function brief(value) {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export const tableOf = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
