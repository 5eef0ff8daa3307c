/** The commands `turnpike verify`, `bench` and `sim`. The `turnpike` command line imports this package to run them. */
import { type Command, Option } from 'commander'
import {
  argumentBeforeEnvironment,
  confOption,
  type ExitCode,
  gather,
  type Io,
  runProgram,
  type Settle,
  subcommand,
  withReports,
} from 'turnpike/embedding'
import {
  parseMillisecondsList,
  parsePercent,
  parseRounds,
  parseSeconds,
  parseSizes,
  parseWhole,
} from './option-values.ts'

/** Runs a command line that begins with one of these commands; resolves with the exit code. */
export function main(args: readonly string[], io: Io): Promise<ExitCode> {
  return runProgram(args, io, (program, settle) => {
    addVerify(program, io, settle)
    addSim(program, io, settle)
    addBench(program, io, settle)
  })
}

function addSim(program: Command, io: Io, settle: Settle): void {
  argumentBeforeEnvironment(
    withReports(
      subcommand(program, 'sim', 'run a scenario of several nodes with faults, in one process and on virtual time'),
    ),
  )
    .argument(
      '[file]',
      'the scenario: YAML, JSON, or a module with a default export; default: usual faults on the gateway of the configuration',
    )
    .addOption(confOption())
    .option('--scenario <name>', 'a scenario of this package: partition, clock-skew, redis-failover, …')
    .option('--list-scenarios', 'print the scenarios of this package with what one sees, and run none')
    .option('--seed <number>', 'seed of the first run; the others follow', parseWhole, 1)
    .option('--runs <number>', 'how many runs', parseRounds, 100)
    .addOption(
      new Option('--store <name>', "the store of the nodes; default: the scenario's, else memory").choices([
        'memory',
        'redis-mock',
      ]),
    )
    .option('--html <file>', 'write the report as a page with charts as well')
    .action(async (file: string | undefined, options) => {
      const { simCommand } = await import('./commands/sim-command.ts')
      settle(await simCommand(file, options, io))
    })
}

function addBench(program: Command, io: Io, settle: Settle): void {
  argumentBeforeEnvironment(
    program
      .command('bench')
      .description('measure what your definitions cost: stages, batches, reloads')
      .option('--json [file]', 'print JSON instead of text, or write it to a file beside the text')
      .helpOption('--help', 'print this help'),
  )
    .argument('[folder]', 'folder of definitions, or one with a configuration file')
    .addOption(confOption())
    .option('--api <id>', 'only this API, by ID or name; may be repeated', gather, [])
    .option('--requests <file>', 'requests of your own: YAML or JSON with requests: [{ api, url, headers, … }]')
    .option('--processes <number>', 'fresh processes, one after the other (default: 3)', parseRounds)
    .option('--rounds <number>', 'rounds of each process; the median is reported (default: 5)', parseRounds)
    .option('--time <ms>', 'milliseconds of each round and API (default: 50)', parseRounds)
    .option('--upstream-ms <ms,…>', 'how long the upstream of batches takes (default: 5)', parseMillisecondsList)
    .option('--batch-sizes <number,…>', 'items of batches (default: 1,10,50)', parseSizes)
    .option('--compare <file>', 'an earlier JSON result; a verdict for each metric, exits with 1 if one is slower')
    .option('--tolerance <percent>', 'changes up to this do not count (default: 5)', parsePercent)
    .option('--html <file>', 'write a page with charts')
    .action(async (folder: string | undefined, options) => {
      const { benchCommand } = await import('./commands/bench-command.ts')
      settle(await benchCommand(folder, options, io))
    })
}

function addVerify(program: Command, io: Io, settle: Settle): void {
  argumentBeforeEnvironment(
    withReports(
      subcommand(
        program,
        'verify',
        'report what the files guarantee, warn about unexpected effects, and test the guarantees',
      ),
    ),
  )
    .argument('[folder]', 'folder of definitions, or one with a configuration file; default: this one')
    .addOption(confOption())
    .option('--seconds <number>', 'how long to look for a broken guarantee', parseSeconds, 10)
    .option('--seed <number>', 'seed of the traces; default: drawn', parseWhole)
    .option('--property <number>', 'only this property of the verification kit, and no warnings', parseWhole)
    .option('--html <file>', 'write the report as a page as well')
    .action(async (folder: string | undefined, options) => {
      const { verifyCommand } = await import('./commands/verify-command.ts')
      settle(await verifyCommand(folder, options, io))
    })
}
