/** Moves or appends a member to the end of a plain list, which contains it once. KEYS: the list. ARGV: the member. */
import { makeScript } from './script.ts'

export const addToList = makeScript(`
redis.call('LREM', KEYS[1], 0, ARGV[1])
return redis.call('RPUSH', KEYS[1], ARGV[1])
`)
