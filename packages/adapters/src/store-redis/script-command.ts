/**
 * Encodes a script call in one step. The command class of ioredis validates and copies each argument, and a call with the
 * decisions of many requests has hundreds of arguments.
 * Measured: docs/decisions/0013-a-decision-over-redis.md.
 */
import { Command } from 'ioredis'
import type { Script } from './scripts/script.ts'

const none: never[] = []
const asText = { replyEncoding: 'utf8' } as const

export class ScriptCommand extends Command {
  private readonly text: string

  constructor(script: Script, keys: readonly string[], args: readonly (string | number)[]) {
    super('evalsha', none, asText)
    this.text = textOf(script, keys, args)
  }

  override toWritable(): string {
    return this.text
  }
}

/** `EVALSHA` in RESP: the number of arguments, then each one with its length in bytes. */
export function textOf({ sha }: Script, keys: readonly string[], args: readonly (string | number)[]): string {
  let text = `*${3 + keys.length + args.length}\r\n$7\r\nEVALSHA\r\n$${sha.length}\r\n${sha}\r\n${wordOf(keys.length)}`
  for (const key of keys) text += wordOf(key)
  for (const arg of args) text += wordOf(arg)
  return text
}

function wordOf(word: string | number): string {
  const text = typeof word === 'number' ? String(word) : word
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`
}
