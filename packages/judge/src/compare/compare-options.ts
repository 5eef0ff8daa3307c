/** The options of `--compare`. */
import { type Command, Option } from 'commander'
import type { JudgeCommandOptions } from '../command/judge-command.ts'

/** Options that only `--compare` has. */
interface OnlyCompareOptions {
  readonly mask: readonly string[]
  readonly rename: readonly string[]
  readonly requests?: string
  readonly env?: string
  readonly textbook: boolean
  readonly allHeaders?: boolean
}

/** Options that both forms of the command have. */
const both = [
  ...(['limit', 'keyHeader', 'keyPrefix', 'keyQuery', 'key', 'keys', 'byAddress', 'header'] as const),
  ...(['seconds', 'maxRequests', 'maxRate', 'json', 'iOwnThisHost', 'cacert', 'insecure'] as const),
]
export type CompareOptions = OnlyCompareOptions &
  Pick<JudgeCommandOptions, Exclude<(typeof both)[number], 'limit' | 'maxRequests'>> & {
    readonly limit: string | undefined
    readonly maxRequests: number
  }

const onlyCompare: readonly string[] = ['mask', 'rename', 'requests', 'env', 'textbook', 'allHeaders']
const allowed: readonly string[] = ['compare', ...onlyCompare, ...both]

/** Adds a value to those of an option that may be repeated. */
export function gather(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

export function addCompareOptions(program: Command): Command {
  const heading = 'Options of --compare:'
  const grouped = (flags: string, description: string) => new Option(flags, description).helpGroup(heading)
  return program
    .addOption(grouped('--compare', 'send the same requests to two URLs and print all differences of the responses'))
    .addOption(
      grouped(
        '--mask <mask>',
        'ignore header:NAME, header:NAME:/PATTERN/, json:/POINTER, body:/PATTERN/, body or status; may be repeated',
      )
        .argParser(gather)
        .default([]),
    )
    .addOption(
      grouped('--rename <names>', 'a header of URL1 and its name in URL2, such as X-Left=X-Right; may be repeated')
        .argParser(gather)
        .default([]),
    )
    .addOption(
      grouped('--requests <file>', 'send the requests of a YAML, JSON or HAR file or a Postman collection as well'),
    )
    .addOption(grouped('--env <file>', 'variables of the Postman collection: its environment, or names with values'))
    .addOption(grouped('--no-textbook', 'send no unusual paths, queries, methods, bodies and headers'))
    .addOption(grouped('--all-headers', 'compare Date, Server and the headers of the connection as well'))
}

/** Says which option of the command line has no effect, or returns `undefined`. */
export function misusedOption(program: Command): string | undefined {
  const isCompare = program.opts()['compare'] === true
  for (const option of program.options) {
    const name = option.attributeName()
    if (program.getOptionValueSource(name) !== 'cli') continue
    if (!isCompare && onlyCompare.includes(name)) return `${option.long} needs --compare URL1 URL2`
    if (isCompare && !allowed.includes(name)) return `${option.long} has no effect with --compare; remove it`
  }
  return undefined
}
