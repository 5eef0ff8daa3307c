/** The command line of `turnpike judge`, which is also that of `npx @turnpike/judge`. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { JudgeCommandOptions } from './command/judge-command.ts'
import type { FileCommandOptions } from './command/limits-file-command.ts'
import { addCompareOptions, type CompareOptions, gather, misusedOption } from './compare/compare-options.ts'
import { type ExitCode, exitCodes, type Io } from './io.ts'
import { JudgeInputError } from './judge-input.ts'
import { kinds } from './models/model.ts'
import { addReportOptions } from './report/write-judge-reports.ts'

/** Runs a command line; `turnpike` passes its arguments with the word `judge` first. Resolves with the exit code. */
export async function main(args: readonly string[], io: Io): Promise<ExitCode> {
  const isTurnpike = args[0] === 'judge'
  let code: ExitCode = exitCodes.fine
  const program = new Command(isTurnpike ? 'turnpike judge' : 'judge')
  addOptions(program)
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.err(text.trimEnd()) })
    .exitOverride()
    .action(async (urls: readonly string[], options) => {
      code = await run(program, urls, options, io)
    })
  try {
    await program.parseAsync(isTurnpike ? args.slice(1) : args, { from: 'user' })
    return code
  } catch (cause) {
    if (cause instanceof JudgeInputError) {
      io.err(`error: ${cause.message}`)
      return exitCodes.wrongUse
    }
    if (!(cause instanceof CommanderError)) throw cause
    return cause.exitCode === 0 ? exitCodes.fine : exitCodes.wrongUse
  }
}

/** What all forms of the command read. */
type Options = JudgeCommandOptions &
  Omit<CompareOptions, 'limit' | 'maxRequests'> &
  Partial<FileCommandOptions> & { readonly compare?: boolean }

async function run(program: Command, urls: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  const misused = misusedOption(program)
  if (misused !== undefined) program.error(`error: ${misused}`)
  if (options.compare === true) {
    const { compareCommand } = await import('./compare/compare-command.ts')
    const { limit, maxRequests = 5000 } = options
    if (limit.length > 1) program.error('error: --compare takes one --limit; remove the others')
    return compareCommand(urls, { ...options, limit: limit[0], maxRequests }, io)
  }
  const [url, second] = urls
  if (second !== undefined) program.error(`error: to compare ${url} and ${second}, add --compare`)
  const { file } = options
  if (file !== undefined) {
    const { fileCommand, misusedBesideFile } = await import('./command/limits-file-command.ts')
    const misusedBeside = misusedBesideFile(program)
    if (misusedBeside !== undefined) program.error(`error: ${misusedBeside}`)
    return fileCommand(url, { ...options, file }, io)
  }
  const { judgeCommand } = await import('./command/judge-command.ts')
  return judgeCommand(url, options, io)
}

function addOptions(program: Command): Command {
  return addReportOptions(addCompareOptions(program))
    .description('judge the rate limit of a gateway over HTTP: find what its documentation does not promise')
    .helpOption('--help', 'print this help')
    .argument('[urls...]', 'URL to request; sent as written. Two with --compare')
    .option('--file <file>', 'YAML file with several limits, instead of --limit and what describes the requests')
    .option('--limit <limit>', 'documented limit: COUNT/PERIOD, such as 10/60s; repeated if several hold', gather, [])
    .option('--quota <limit>', 'documented quota instead of a limit: COUNT/PERIOD, such as 1000/1d')
    .option('--burst <count>', 'requests that a full bucket admits at once', whole(1))
    .option('--block <time>', 'how long a client is blocked after it has exceeded the limit, such as 10s')
    .option('--slack <time>', 'how much too early a request may come, such as 50ms')
    .addOption(new Option('--kind <kind>', 'documented kind of limiter').choices(['auto', ...kinds]).default('auto'))
    .option('--key-header <name>', 'header field with the key of a client')
    .option('--key-prefix <text>', "text before the key in the header, such as 'Bearer '")
    .option('--key-query <name>', 'query parameter with the key of a client')
    .option('--key <template>', 'keys of fresh clients: {n} is 1, 2, …, {random} is new; default: judge-{random}')
    .option('--keys <file>', 'keys of fresh clients, one on each line')
    .option(
      '--spelling <template>',
      'another spelling of a key, such as acme.{key} or {KEY}; may be repeated',
      gather,
      [],
    )
    .option('--by-address', 'clients are addresses: use 127.0.0.0/8 as source')
    .option('--batch <path>', 'batch endpoint: each item counts once and stays in its API')
    .option('--batch-item <url>', 'relative_url of batch items', '/')
    .option('--batch-outside <path>', 'path of another API, which no item may reach; may be repeated', gather, [])
    .option('--method <method>', 'request method', 'GET')
    .option('-H, --header <line>', "'Name: value'; may be repeated", gather, [])
    .option('--body <text>', 'body of the requests')
    .option('--rejected <statuses>', 'statuses of rejections', statuses, [429, 503])
    .option('--admitted <statuses>', 'statuses from 400 on that are admitted', statuses, [])
    .option('--seconds <number>', 'budget of time', whole(1), 60)
    .option('--max-requests <number>', 'budget of requests; default: 5000, more for limits of more than 20', whole(1))
    .option('--max-rate <number>', 'requests per second; default: 20, and unlimited on this machine', whole(1))
    .option('--seed <number>', 'seed of the drawn traces; default: drawn', whole(0))
    .option('--curl <file>', 'write a script for bash that repeats the first finding')
    .option('--strict', 'exit code 1 instead of 3 if the verdict is undecided')
    .option('--json', 'print JSON instead of text')
    .option('--cacert <file>', 'https: trust the certificates of this file instead of those of Node')
    .option('--insecure', 'https: accept any certificate')
    .option('--i-own-this-host', 'judge a host that is not this machine')
    .addHelpText('after', '\nExit codes: 0 the limit holds, 1 it is broken, 2 wrong use, 3 undecided.')
}

function whole(least: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number.isSafeInteger(Number(text))) return Number(text)
    throw new InvalidArgumentError(`This must be a whole number from ${least} on.`)
  }
}

function statuses(text: string): number[] {
  const codes = text.split(',').map((part) => part.trim())
  if (codes.every((code) => /^[1-5]\d\d$/.test(code))) return codes.map(Number)
  throw new InvalidArgumentError('These must be statuses such as 429 or 429,503.')
}
