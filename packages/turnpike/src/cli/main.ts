/**
 * The `turnpike` command: parses the command line and runs one command. Each command is in its own file, which is
 * loaded on demand, so that `start` does not load the modules of `check`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { version } from '../version.ts'
import { devCommands, findDevCommand, runDevCommand } from './dev-commands.ts'
import { addKeys } from './keys/keys-program.ts'
import { parsePort, parseRequests, parseWorkers } from './option-values.ts'
import {
  argumentBeforeEnvironment,
  confOption,
  gather,
  runProgram,
  type Settle,
  subcommand,
  withReports,
} from './program.ts'

/** Runs one command line. Resolves with the exit code when the command ends. */
export async function main(args: readonly string[], io: Io): Promise<ExitCode> {
  const devCommand = findDevCommand(args)
  if (devCommand !== undefined) return runDevCommand(devCommand, io)
  return runProgram(args, io, (program, settle) => addCommands(program, io, settle))
}

function addCommands(program: Command, io: Io, settle: Settle): void {
  program
    .description('An API gateway engine: run a local gateway, check its files, look into a request.')
    .version(version, '--version', 'print the version')
    .addHelpText('after', '\nExit codes: 0 fine, 1 found something, 2 wrong use.')
  addInit(program, io, settle)
  addStart(program, io, settle)
  addImport(program, io, settle)
  addCheck(program, io, settle)
  addExplain(program, io, settle)
  addKeys(program, io, settle)
  // Listed for --help only: `main` passes these command lines to their packages.
  for (const [name, description] of Object.entries(devCommands)) program.command(name).description(description)
  subcommand(program, 'version', 'print the version').action(async (options: { json?: boolean }) => {
    io.out(options.json === true ? JSON.stringify({ version }) : `turnpike ${version}`)
  })
}

function addInit(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'init', 'write the files of a new gateway: configuration, an API, a policy and a key')
    .argument('[folder]', 'folder to write them to; default: this one')
    .option('--openapi <file>', 'serve this OpenAPI document: a file or a URL, JSON or YAML')
    .option(
      '--from <folder>',
      'write a configuration for this installation of the original gateway, and report how it fits',
    )
    .option('--target <url>', 'upstream of the OpenAPI document; default: the first of its servers that is reachable')
    .option('--mock', 'respond with the examples of the OpenAPI document')
    .action(async (folder: string | undefined, options) => {
      const { initCommand } = await import('./commands.ts')
      settle(await initCommand(folder, options, io))
    })
}

function addImport(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'import', 'convert an OpenAPI document, or exports, to files in the folder of definitions')
    .argument(
      '<document>',
      'OpenAPI 2.0, 3.0 or 3.1, JSON or YAML: a file or a URL; or exports of a dashboard, a sync repository, resources of the Kubernetes operator: a file or a folder',
    )
    .addOption(confOption())
    .option('--out <folder>', 'folder of definitions; default: app_path of the configuration')
    .option('--target <url>', 'upstream; default: the first of the servers of the document')
    .option('--listen-path <path>', 'default: /ID/')
    .option('--name <name>', 'default: the title of the document')
    .option('--id <id>', 'id of the API and name of its files; default: made from the title')
    .option('--org <id>', 'organisation of the API')
    .addOption(
      new Option(
        '--auth <method>',
        'how callers authenticate; default: document if it has security, else none',
      ).choices(['document', 'key', 'none']),
    )
    .option('--validate', 'reject requests that do not match the document')
    .option('--mock', 'respond with the examples of the document')
    .option('--allow-list', 'reject paths that the document does not contain')
    .option('--replace', 'overwrite the files of an API with this id')
    .option('--dry-run', 'report, but write nothing')
    .action(async (document: string, options) => {
      const { importCommand } = await import('./commands.ts')
      settle(await importCommand(document, options, io))
    })
}

function addStart(program: Command, io: Io, settle: Settle): void {
  const start = program.command('start', { isDefault: true }).description('start a gateway (the default command)')
  argumentBeforeEnvironment(start)
    .argument('[document]', 'OpenAPI document to serve without a configuration: a file or a URL, JSON or YAML')
    .addOption(confOption())
    .option('--target <url>', 'upstream of the document; default: the first of its servers that is reachable')
    .option('--mock', 'respond with the examples of the document')
    .option(
      '--port <port>',
      'listen on this port; wins over listen_port; 0: a free one, for the dashboard too',
      parsePort,
    )
    .option('--data-path <folder>', 'folder of the embedded store; wins over data_path')
    .option(
      '--workers <number>',
      'processes that share the port and count together; max: one for each core',
      parseWorkers,
    )
    .option('--watch', 'reload when a definition, a policy or the configuration changes (on at a terminal)')
    .option('--no-watch', 'reload only when asked to')
    .option('--requests', 'print one line a request (on unless --quiet)')
    .option('--no-requests', 'print no requests')
    .option('--debug', 'log at level debug')
    .option('--httpprofile', 'serve profiles at /debug/pprof/, without a key')
    .option('--quiet', 'print nothing but errors')
    .option('--json', 'print events as lines of JSON')
    .helpOption('--help', 'print this help')
    .action(async (document: string | undefined, options) => {
      if (document !== undefined && isUnknownCommand(document, io.cwd)) {
        const { suggestCommand } = await import('./commands.ts')
        const names = program.commands.map((one) => one.name())
        io.err(`error: there is no command or OpenAPI document "${document}" (${suggestCommand(document, names)})`)
        settle(exitCodes.wrongUse)
        return
      }
      const { startCommand } = await import('./start-command.ts')
      settle(await startCommand(document, options, io))
    })
}

/** A single word that is no file: `start` is the default command, so a mistyped command arrives there as a document. */
function isUnknownCommand(word: string, cwd: string): boolean {
  return /^[\w-]+$/.test(word) && !existsSync(join(cwd, word))
}

function addCheck(program: Command, io: Io, settle: Settle): void {
  const check = subcommand(program, 'check', 'check a configuration with its files, or a folder of definitions')
  argumentBeforeEnvironment(withReports(check))
    .alias('lint')
    .argument('[folder]', 'folder of definitions, or one with a configuration file')
    .addOption(confOption())
    .option('--lenient', 'end with 0 when there are only warnings')
    .option('--allow <id>', 'leave out the findings with this id; may be repeated', gather, [])
    .option('--all', 'also list fields and files that have no use and change nothing')
    .option('--explain <id>', 'print what the findings with this id mean, and what to do')
    .action(async (folder: string | undefined, options) => {
      const { checkCommand } = await import('./commands.ts')
      settle(await checkCommand(folder, options, io))
    })
}

function addExplain(program: Command, io: Io, settle: Settle): void {
  subcommand(program, 'explain', 'send one request through the gateway and print the result of each stage')
    .argument('<method>')
    .argument('<path>')
    .addOption(confOption())
    .option('--url <url>', 'a running gateway; default: that of the configuration')
    .option('--secret <key>', 'its management key; default: that of the configuration')
    .option('-H, --header <line>', "'Name: value'; may be repeated", gather, [])
    .option('-d, --data <body>', 'body of the request')
    .option('--dry', 'count nothing and do not call the upstream')
    .option(
      '--until-rejected [requests]',
      'repeat the request until it is rejected, at most this often; default: 100',
      parseRequests,
    )
    .option(
      '--port <port>',
      "by which the request comes, for APIs with a port of their own; default: the gateway's",
      parsePort,
    )
    .action(async (method: string, path: string, options) => {
      const { explainCommand } = await import('./commands.ts')
      settle(await explainCommand(method, path, options, io))
    })
}
