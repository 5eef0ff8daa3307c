/** The options of `--compare`. */
import { type Command, Option } from 'commander'

export interface CompareOptions {
  readonly limit?: string
  readonly keyHeader?: string
  readonly keyPrefix?: string
  readonly keyQuery?: string
  readonly key?: string
  readonly keys?: string
  readonly byAddress?: boolean
  readonly header: readonly string[]
  readonly seconds: number
  readonly maxRequests: number
  readonly maxRate?: number
  readonly json?: boolean
  readonly cacert?: string
  readonly insecure?: boolean
  readonly iOwnThisHost?: boolean
  readonly mask: readonly string[]
  readonly rename: readonly string[]
  readonly requests?: string
  readonly textbook: boolean
  readonly allHeaders?: boolean
}

/** Options that only `--compare` has. */
const onlyCompare = ['mask', 'rename', 'requests', 'textbook', 'allHeaders']
/** Options that both forms of the command have. */
const both = [
  ...['compare', 'limit', 'keyHeader', 'keyPrefix', 'keyQuery', 'key', 'keys', 'byAddress', 'header'],
  ...['seconds', 'maxRequests', 'maxRate', 'json', 'iOwnThisHost', 'cacert', 'insecure'],
]

export function addCompareOptions(program: Command): Command {
  const gather = (value: string, before: readonly string[]) => [...before, value]
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
    .addOption(grouped('--requests <file>', 'send the requests of a YAML, JSON or HAR file as well'))
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
    if (isCompare && !onlyCompare.includes(name) && !both.includes(name))
      return `${option.long} has no effect with --compare; remove it`
  }
  return undefined
}
