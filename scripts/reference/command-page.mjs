// The page of all commands: the text that each prints for --help.
import { generatedNote, page } from './markdown.mjs'

const head = `# Command line

${generatedNote}

Exit codes of all commands: 0 is fine, 1 is a finding, 2 is wrong use. Every command finds the configuration file of the current folder; \`--conf\` or the variable \`TURNPIKE_CONF\` selects another one. [Startup](../startup.md) describes \`start\`, [verifying](../../guides/verification.md) \`verify\`, [judging](../../guides/judge.md) \`judge\`, and [simulating a cluster](../../cluster-sim.md) \`sim\`.`

/** `help` returns what a command prints; it is called with the words of the command, such as ["keys", "list"]. */
export async function commandPage(help) {
  const sections = []
  async function add(words) {
    const text = await help(words)
    sections.push(
      `${'#'.repeat(Math.min(words.length + 1, 4))} turnpike ${words.join(' ')}`.trimEnd(),
      `\`\`\`text\n${text.trimEnd()}\n\`\`\``,
    )
    for (const name of commandsIn(text)) await add([...words, name])
  }
  const text = await help([])
  sections.push('## turnpike', `\`\`\`text\n${text.trimEnd()}\n\`\`\``)
  for (const name of commandsIn(text)) await add([name])
  return page(head, ...sections)
}

/** Names of the subcommands that a help text lists. */
function commandsIn(text) {
  const list = text.split(/^Commands:\n/m)[1]?.split(/\n\n/)[0] ?? ''
  return [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
}
