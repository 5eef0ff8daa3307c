/** The command line of `turnpike keys`. The commands are loaded on demand, together. */
import type { Command } from 'commander'
import type { Io } from '../../terminal/io.ts'
import { parseCount, parseExpiry } from '../option-values.ts'
import { confOption, gather, type Settle, subcommand } from '../program.ts'

export function addKeys(program: Command, io: Io, settle: Settle): void {
  const keys = program
    .command('keys')
    .description('create, show, change, reset, delete, list and import keys of a running gateway')
    .helpOption('--help', 'print this help')
  const keyCommand = (name: string, description: string) =>
    subcommand(keys, name, description)
      .addOption(confOption())
      .option('--url <url>', 'management address; default: that of the configuration')
      .option('--secret <key>', 'management key; default: that of the configuration')
  addWriting(keyCommand, io, settle)
  addNamed(keyCommand, io, settle)
  keyCommand('import', 'create the keys of a file, or of the files of a folder')
    .argument(
      '<source>',
      'sessions in files that have the names of the keys, exports of a dashboard, or a map of sessions',
    )
    .option('--org <id>', 'organisation of the keys; default: that of the sessions')
    .option('--replace', 'overwrite keys that exist')
    .action(async (source: string, options) => {
      const { importKeysCommand } = await import('../commands.ts')
      settle(await importKeysCommand(source, options, io))
    })
  keyCommand('list', 'list keys with their aliases, policies and APIs')
    .option('--filter <text>', 'only those whose name or alias starts with this')
    .option('--names-only', 'print only the names, in one call')
    .action(async (options) => {
      const { listKeysCommand } = await import('../commands.ts')
      settle(await listKeysCommand(options, io))
    })
}

type KeyCommand = (name: string, description: string) => Command

/** Options of the commands that write a session. */
function sessionOptions(command: Command): Command {
  return command
    .option('--alias <text>', 'a name for people; default for a key with a name of its own: that name')
    .option('--policy <id>', 'apply this policy; may be repeated', gather, [])
    .option('--api <id>', 'open this API; may be repeated', gather, [])
    .option('--rate <rate>', 'requests', parseCount)
    .option('--per <seconds>', 'in this many seconds', parseCount)
    .option('--quota <requests>', 'requests in a quota period', parseCount)
    .option('--quota-renews <seconds>', 'length of the quota period', parseCount)
    .option('--expires <when>', 'after 30d, 12h, 90m or 45s, at a date such as 2030-01-31, or never', parseExpiry)
    .option('--session <json>', 'the session as JSON, or @FILE')
}

function addWriting(keyCommand: KeyCommand, io: Io, settle: Settle): void {
  sessionOptions(
    keyCommand('create', 'create a key')
      .argument('[id]', 'a name of your own; a random one without')
      .option('--org <id>', 'organisation of the key; default: that of its policies or APIs'),
  ).action(async (id: string | undefined, options) => {
    const { createKeyCommand } = await import('../commands.ts')
    settle(await createKeyCommand(id, options, io))
  })
  sessionOptions(
    namedKey(keyCommand('update', 'change a key; what no option names stays, and so do its counters')),
  ).action(async (key: string, options) => {
    const { updateKeyCommand } = await import('../commands.ts')
    settle(await updateKeyCommand(key, options, io))
  })
}

function namedKey(command: Command): Command {
  return command
    .argument('<key>', 'the key, its name or its alias')
    .option('--org <id>', 'organisation of the key, if several have one of this name')
    .option('--hashed', 'the key is given by its hash')
}

function addNamed(keyCommand: KeyCommand, io: Io, settle: Settle): void {
  namedKey(keyCommand('show', 'print the session of a key')).action(async (key: string, options) => {
    const { showKeyCommand } = await import('../commands.ts')
    settle(await showKeyCommand(key, options, io))
  })
  namedKey(keyCommand('reset', 'reset the quota of a key: its period starts again')).action(
    async (key: string, options) => {
      const { resetKeyCommand } = await import('../commands.ts')
      settle(await resetKeyCommand(key, options, io))
    },
  )
  namedKey(keyCommand('delete', 'delete a key')).action(async (key: string, options) => {
    const { deleteKeyCommand } = await import('../commands.ts')
    settle(await deleteKeyCommand(key, options, io))
  })
}
