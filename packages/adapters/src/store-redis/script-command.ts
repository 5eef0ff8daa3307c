/**
 * A call of a script as the text that goes to Redis, made in one go. The client's own way takes a command apart into
 * arguments, checks, copies and pipelines them; a call that carries the decisions of many requests has hundreds.
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

/** `EVALSHA` in the protocol of Redis: the number of words, then each with its length in bytes. */
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
