// Command lines of the scripts: prints the help text for --help, and an error with exit code 2 for wrong use. The exit
// codes are those of the `turnpike` command: 0 fine, 1 found something, 2 wrong use.
// The default import, because old Node versions lack `parseArgs` and setup.mjs must still report the required version.
import util from 'node:util'

/**
 * Reads the command line. Exits after --help and after wrong use.
 *
 * `usage` is the text for --help. `options` are those of `parseArgs`, plus `choices` (allowed values; with `several`, a
 * comma-separated list of them) and `least` (smallest whole number). `positionals` allows words that are not options.
 */
export function readCommandLine(spec, args = process.argv.slice(2)) {
  const read = parseCommandLine(spec, args)
  if (read.help) {
    console.log(spec.usage.trim())
    process.exit(0)
  }
  if (read.problem !== undefined) {
    console.error(`error: ${read.problem} (--help lists the options)`)
    process.exit(2)
  }
  return read
}

/** Parses without exiting. Returns `help`, a `problem` text, or `values` and `positionals`. */
export function parseCommandLine({ options = {}, positionals = false }, args) {
  if (args.includes('--help')) return { help: true }
  try {
    const known = Object.entries(options).map(([name, { choices: _, several: __, least: ___, ...option }]) => [
      name,
      option,
    ])
    const read = util.parseArgs({ args, options: Object.fromEntries(known), allowPositionals: positionals })
    for (const [name, value] of Object.entries(read.values)) {
      const problem = problemOf(options[name], value)
      if (problem !== undefined) return { problem: `--${name} ${problem}` }
    }
    return read
  } catch (cause) {
    if (typeof cause.code !== 'string' || !cause.code.startsWith('ERR_PARSE_ARGS_')) throw cause
    // Only the first sentence of the message applies to these scripts.
    return { problem: cause.message.split(/\.\s/)[0].replace(/^./, (first) => first.toLowerCase()) }
  }
}

function problemOf({ choices, several, least }, value) {
  if (choices !== undefined) {
    const wrong = (several ? value.split(',') : [value]).filter((each) => !choices.includes(each))
    if (wrong.length > 0) return `can be ${choices.join(', ')}, not ${wrong.join(', ')}`
  }
  if (least !== undefined && !(/^\d+$/.test(value) && Number(value) >= least)) {
    return `is to be a whole number from ${least} on, not ${value}`
  }
  return undefined
}
