/**
 * The `turnpike` command: reads the command line and calls the command named there. Commands stand in files of their
 * own and are loaded when they are called, so that a start does not wait for what only `check` needs.
 */
import { Command, CommanderError, Option } from 'commander'
import { version } from '../version.ts'
import { type ExitCode, exitCodes, type Io } from './io.ts'
import {
  parseCount,
  parseMilliseconds,
  parsePort,
  parseRounds,
  parseSeconds,
  parseWhole,
  parseWorkers,
} from './option-values.ts'

/** Runs one command line; resolves with the exit code when the command is over. */
export async function main(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.fine
  const program = makeProgram(io, (result) => {
    code = result
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause
    return cause.exitCode === 0 ? exitCodes.fine : exitCodes.wrongUse
  }
}

type Settle = (code: ExitCode) => void

function makeProgram(io: Io, settle: Settle): Command {
  const program = new Command('turnpike')
    .description('An API gateway engine: run a local gateway, check its files, look into a request.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', '\nExit codes: 0 fine, 1 found something, 2 wrong use.')
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
    })
    .exitOverride()
  addStart(program, io, settle)
  addCheck(program, io, settle)
  addExplain(program, io, settle)
  addKeys(program, io, settle)
  addVerify(program, io, settle)
  addSim(program, io, settle)
  addBench(program, io, settle)
  subcommand(program, 'version', 'print the version').action(async (options: { json?: boolean }) => {
    io.out(options.json === true ? JSON.stringify({ version }) : `turnpike ${version}`)
  })
  return program
}

/** A command with what all commands have. */
function subcommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print JSON instead of text')
    .helpOption('--help', 'print this help')
}

const confOption = () => new Option('--conf <file>', 'configuration file').env('TURNPIKE_CONF')

function addStart(program: Command, io: Io, settle: Settle): void {
  const start = program.command('start', { isDefault: true }).description('start a gateway (the default command)')
  start
    .addOption(confOption())
    .option('--port <port>', 'listen on this port; wins over listen_port', parsePort)
    .option('--workers <number>', 'processes that share the port; more than 1 needs Redis', parseWorkers)
    .option('--watch', 'reload when a definition or policy file changes (on at a terminal)')
    .option('--no-watch', 'reload only when asked to')
    .option('--requests', 'print one line a request (on unless --quiet)')
    .option('--no-requests', 'print no requests')
    .option('--debug', 'log at level debug')
    .option('--quiet', 'print nothing but errors')
    .option('--json', 'print events as lines of JSON')
    .helpOption('--help', 'print this help')
    .action(async (options) => {
      const { startCommand } = await import('./start-command.ts')
      settle(await startCommand(options, io))
    })
}

function addCheck(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'check', 'check a configuration with its definitions and policies, or a folder of definitions')
    .alias('lint')
    .argument('[folder]', 'folder of definitions, or one with a configuration file')
    .addOption(confOption())
    .option('--lenient', 'end with 0 when there are only warnings')
    .action(async (folder: string | undefined, options) => {
      const { checkCommand } = await import('./check-command.ts')
      settle(await checkCommand(folder, options, io))
    })
}

function addExplain(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'explain', 'send one request through and tell what each stage did with it')
    .argument('<method>')
    .argument('<path>')
    .addOption(confOption())
    .option('--url <url>', 'a running gateway; default: that of the configuration')
    .option('--secret <key>', 'its management key; default: that of the configuration')
    .option('-H, --header <line>', "'Name: value'; may be repeated", gather, [])
    .option('-d, --data <body>', 'body of the request')
    .option('--dry', 'look only: count nothing and ask no upstream')
    .option(
      '--port <port>',
      "by which the request comes, for APIs with a port of their own; default: the gateway's",
      parsePort,
    )
    .action(async (method: string, path: string, options) => {
      const { explainCommand } = await import('./explain-command.ts')
      settle(await explainCommand(method, path, options, io))
    })
}

function addSim(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'sim', 'run a scenario of several nodes with faults, in one process and on virtual time')
    .argument('<file>', 'the scenario: YAML, JSON, or a module with a default export')
    .option('--seed <number>', 'seed of the first run; the others follow', parseWhole, 1)
    .option('--runs <number>', 'how many runs', parseRounds, 100)
    .addOption(
      new Option('--store <name>', "the store of the nodes; default: the scenario's, else memory").choices([
        'memory',
        'redis-mock',
      ]),
    )
    .action(async (file: string, options) => {
      const { simCommand } = await import('./sim-command.ts')
      settle(await simCommand(file, options, io))
    })
}

function addBench(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'bench', 'measure what your definitions cost: stages, batches, reloads')
    .argument('[folder]', 'folder of definitions, or one with a configuration file')
    .addOption(confOption())
    .option('--api <id>', 'only this API; may be repeated', gather, [])
    .option('--requests <file>', 'requests of your own: YAML or JSON with requests: [{ api, url, headers, … }]')
    .option('--processes <number>', 'fresh processes, one after the other (default: 3)', parseRounds)
    .option('--rounds <number>', 'rounds of each process, of which medians are taken (default: 5)', parseRounds)
    .option('--time <ms>', 'milliseconds of each round and API (default: 50)', parseRounds)
    .option('--upstream-ms <ms>', 'how long the upstream of batches takes (default: 5)', parseMilliseconds)
    .option('--compare <file>', 'an earlier result; exits 1 when something became slower beyond noise')
    .option('--html <file>', 'write a page with charts')
    .action(async (folder: string | undefined, options) => {
      const { benchCommand } = await import('./bench-command.ts')
      settle(await benchCommand(folder, options, io))
    })
}

function addVerify(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'verify', 'tell what the files promise, what is surprising about it, and whether it is kept')
    .argument('[folder]', 'folder of definitions, or one with a configuration file; default: this one')
    .addOption(confOption())
    .option('--seconds <number>', 'how long to look for a broken promise', parseSeconds, 10)
    .option('--seed <number>', 'seed of the traces; default: drawn', parseWhole)
    .option('--law <number>', 'only this law of the verification kit, and no surprises', parseWhole)
    .option('--html <file>', 'write the report as a page as well')
    .action(async (folder: string | undefined, options) => {
      const { verifyCommand } = await import('./verify-command.ts')
      settle(await verifyCommand(folder, options, io))
    })
}

function addKeys(program: Command, io: Io, settle: Settle): void {
  const keys = program
    .command('keys')
    .description('make, show, delete and list keys of a running gateway')
    .helpOption('--help', 'print this help')
  const keyCommand = (name: string, description: string) =>
    subcommand(keys, name, description)
      .addOption(confOption())
      .option('--url <url>', 'management address; default: that of the configuration')
      .option('--secret <key>', 'management key; default: that of the configuration')
      .option('--org <id>', 'organisation of the key')
  keyCommand('create', 'make a key')
    .argument('[id]', 'a name of your own; a random one without')
    .option('--alias <text>', 'a name for people')
    .option('--policy <id>', 'apply this policy; may be repeated', gather, [])
    .option('--api <id>', 'open this API; may be repeated', gather, [])
    .option('--rate <rate>', 'requests', parseCount)
    .option('--per <seconds>', 'in this many seconds', parseCount)
    .option('--quota <requests>', 'requests in a quota period', parseCount)
    .option('--quota-renews <seconds>', 'length of the quota period', parseCount)
    .option('--session <json>', 'the session as JSON, or @FILE')
    .action(async (id: string | undefined, options) => {
      const { createKeyCommand } = await import('./keys-command.ts')
      settle(await createKeyCommand(id, options, io))
    })
  keyCommand('show', 'print the session of a key')
    .argument('<key>')
    .option('--hashed', 'the key is given by its hash')
    .action(async (key: string, options) => {
      const { showKeyCommand } = await import('./keys-command.ts')
      settle(await showKeyCommand(key, options, io))
    })
  keyCommand('delete', 'delete a key')
    .argument('<key>')
    .option('--hashed', 'the key is given by its hash')
    .action(async (key: string, options) => {
      const { deleteKeyCommand } = await import('./keys-command.ts')
      settle(await deleteKeyCommand(key, options, io))
    })
  keyCommand('list', 'list keys')
    .option('--filter <text>', 'only those that start with this')
    .action(async (options) => {
      const { listKeysCommand } = await import('./keys-command.ts')
      settle(await listKeysCommand(options, io))
    })
}

function gather(value: string, before: readonly string[]): string[] {
  return [...before, value]
}
