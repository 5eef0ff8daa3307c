/** Command-line parsing that `turnpike` and `@turnpike/dev` share. */
import { reportOptions } from '@turnpike/reports'
import { Command, CommanderError, Help, Option } from 'commander'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'

/** A command reports its exit code through this callback, because commander does not return results. */
export type Settle = (code: ExitCode) => void

/** Builds the program with `addCommands` and runs one command line. Resolves with the exit code of the command. */
export async function runProgram(
  args: readonly string[],
  io: Io,
  addCommands: (program: Command, settle: Settle) => void,
): Promise<ExitCode> {
  let code: ExitCode = exitCodes.fine
  const help = new Help()
  const program = new Command('turnpike')
    .helpOption('--help', 'print this help')
    // An option that may be repeated is an empty list by default, which says nothing to a reader.
    .configureHelp({ optionDescription: (option) => help.optionDescription(option).replace(' (default: [])', '') })
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
    })
    .exitOverride()
  addCommands(program, (result) => {
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

/** Adds a command with the options that all commands have. */
export function subcommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'print JSON instead of text')
    .helpOption('--help', 'print this help')
}

export const confOption = () => new Option('--conf <file>', 'configuration file').env('TURNPIKE_CONF')

/** Adds the options that write reports for CI systems. */
export function withReports(command: Command): Command {
  for (const { flags, description } of reportOptions) command.option(flags, description)
  return command
}

/** Lets a positional argument take the place of a configuration that only TURNPIKE_CONF names. */
export function argumentBeforeEnvironment(command: Command): Command {
  return command.hook('preAction', () => {
    const fromEnvironment = command.getOptionValueSource('conf') === 'env'
    if (command.args.length > 0 && fromEnvironment) command.setOptionValue('conf', undefined)
  })
}

/** Collects the values of an option that may be repeated. */
export function gather(value: string, before: readonly string[]): string[] {
  return [...before, value]
}
