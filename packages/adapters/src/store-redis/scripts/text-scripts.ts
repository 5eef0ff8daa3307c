/** Scripts for single texts and lists. */
import { makeScript } from './script.ts'

/** Moves or appends a member to the end of a plain list, which contains it once. KEYS: the list. ARGV: the member. */
export const addToList = makeScript(`
redis.call('LREM', KEYS[1], 0, ARGV[1])
return redis.call('RPUSH', KEYS[1], ARGV[1])
`)

/**
 * Replaces a text if it has not changed since it was read; keeps its lifetime. KEYS: its name. ARGV: the text as read,
 * the new text.
 */
export const replaceText = makeScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', left)
else redis.call('SET', KEYS[1], ARGV[2]) end
return 1
`)

/** Reads and removes a text, like GETDEL of Redis 6.2. KEYS: its name. Reply: the text, or nil. */
export const takeText = makeScript(`
local text = redis.call('GET', KEYS[1])
if text then redis.call('DEL', KEYS[1]) end
return text
`)
