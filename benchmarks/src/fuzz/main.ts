/**
 * npm run fuzz [-- --seconds N] [-- --seed S] [-- --only TARGET] [-- --cases N]
 *
 * Drives every edge of the gateway with inputs that grammars and mutations make from a seed. A finding is a crash, a
 * rejected promise without a handler, a case over 1 s, or a broken rule of a target.
 */
import { parseArgs } from 'node:util'
import type { FuzzTarget } from './fuzz-target.ts'
import { jsonTarget } from './json-target.ts'
import { managementTargets } from './management-targets.ts'
import { methodTarget } from './method-target.ts'
import { parserTargets } from './parser-targets.ts'
import { redisTarget } from './redis-target.ts'
import { type CaseRange, runTarget } from './run-target.ts'
import { timeTarget } from './time-target.ts'
import { uriTarget } from './uri-target.ts'
import { reproduction, startWatchdog } from './watchdog.ts'
import { wireTargets } from './wire-targets.ts'

/** A case that needs more CPU time, twice, is a finding. CPU time does not depend on other load of the machine. */
const slowMs = 1_000
/** A case that does not end within this time ends the fuzzer. */
const hangMs = 20_000
const progressMs = 5_000

const targets: readonly FuzzTarget[] = [
  ...parserTargets,
  ...[uriTarget, jsonTarget, methodTarget, timeTarget],
  ...managementTargets,
  ...wireTargets,
  redisTarget,
]
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    only: { type: 'string' },
    cases: { type: 'string' },
  },
})
const chosen = targets.filter(({ name }) => options.only === undefined || name === options.only)
if (chosen.length === 0) {
  console.error(`error: no target is named ${options.only}; there are ${targets.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const totalMs = Number(options.seconds) * 1_000
const firstSeed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(options.seed)
const weights = chosen.reduce((sum, { weight }) => sum + weight, 0)
const watchdog = startWatchdog(
  chosen.map(({ name }) => name),
  hangMs,
)
let current: { name: string; range: CaseRange } = { name: '', range: { first: firstSeed, count: 1 } }
let found = 0

function report(problem: unknown, { name, range }: { name: string; range: CaseRange }): void {
  found++
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)
  console.error(`\n${name}, seed ${range.first + range.count - 1}: ${text.slice(0, 10_000)}`)
  console.error(`reproduce: ${reproduction(name, range)}`)
}

function fail(problem: unknown): void {
  report(problem, current)
  console.log(`\n${found} found`)
  process.exit(1)
}
process.on('uncaughtException', (error) => {
  // The Redis server is trusted: ioredis throws for some replies of a wrong type (docs/security.md, known limits).
  if (current.name !== 'redis' || !/ioredis.*DataHandler/.test(error.stack ?? '')) fail(error)
})
process.on('unhandledRejection', fail)

/** Runs one case and returns its CPU time in milliseconds. */
async function timed(run: (seed: number) => Promise<void> | void, seed: number): Promise<number> {
  const before = process.cpuUsage()
  await run(seed)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function runCase(run: (seed: number) => Promise<void> | void, seed: number): Promise<void> {
  if ((await timed(run, seed)) > slowMs) {
    const again = await timed(run, seed)
    if (again > slowMs) throw new Error(`the case takes ${Math.round(again)} ms of CPU time`)
  }
  // A target of synchronous cases would keep timers and sockets of others waiting.
  if (seed % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
}

async function fuzz(target: FuzzTarget, index: number): Promise<number> {
  const end = performance.now() + (totalMs * target.weight) / weights
  let printed = performance.now()
  const { cases, finding } = await runTarget(target, {
    firstSeed,
    runCase,
    goesOn(done) {
      if (performance.now() - printed >= progressMs) {
        printed = performance.now()
        console.error(`${target.name}: ${done} cases`)
      }
      return options.cases === undefined ? performance.now() < end : done < Number(options.cases)
    },
    onCase(range) {
      current = { name: target.name, range }
      watchdog.started(index, range)
    },
  })
  if (finding !== undefined) report(finding.problem, { name: target.name, range: finding.range })
  return cases
}

console.error(
  `seed ${firstSeed}, ${options.cases === undefined ? `${options.seconds} s` : `${options.cases} cases`} for ${chosen.length} targets`,
)
for (const [index, target] of chosen.entries()) {
  console.log(`${target.name.padEnd(18)} ${String(await fuzz(target, index)).padStart(9)} cases`)
}
await watchdog.stop()
console.log(found === 0 ? '\nnothing found' : `\n${found} found`)
process.exit(found === 0 ? 0 : 1)
