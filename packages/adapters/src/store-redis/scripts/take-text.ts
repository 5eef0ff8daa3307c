/** Reads and removes a text, like GETDEL of Redis 6.2. KEYS: its name. Reply: the text, or nil. */
import { makeScript } from './script.ts'

export const takeText = makeScript(`
local text = redis.call('GET', KEYS[1])
if text then redis.call('DEL', KEYS[1]) end
return text
`)
