/**
 * Replaces a text if it has not changed since it was read; keeps its lifetime. KEYS: its name. ARGV: the text as read,
 * the new text.
 */
import { makeScript } from './script.ts'

export const replaceText = makeScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', left)
else redis.call('SET', KEYS[1], ARGV[2]) end
return 1
`)
