// The command line of a script: a help text for --help, and a plain sentence with exit code 2 for wrong use. Exit codes
// are those of the `turnpike` command: 0 fine, 1 found something, 2 wrong use.
// As a whole, so that setup.mjs can tell on old versions of Node, which lack it, which one is needed.
import util from 'node:util'

/**
 * Reads the command line; ends the process where it asks for help or is wrong.
 *
 * `usage`: what --help prints. `options`: as `parseArgs` takes them; beside that `choices`, the values that an option
 * can have (`several`: with commas between them), and `least`, the smallest whole number. `positionals`: whether there may be words that are no options.
 */
export function readCommandLine(spec, args = process.argv.slice(2)) {
  const read = parseCommandLine(spec, args)
  if (read.help) {
    console.log(spec.usage.trim())
    process.exit(0)
  }
  if (read.problem !== undefined) {
    console.error(`error: ${read.problem} (--help tells what there is)`)
    process.exit(2)
  }
  return read
}

/** The same as a value: `help`, or a `problem` in words, or `values` and `positionals`. */
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
    // What follows the first sentence is about options of other programs.
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
