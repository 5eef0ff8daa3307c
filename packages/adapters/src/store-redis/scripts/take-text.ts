/** Reads and removes a text, as GETDEL does, which servers before 6.2 do not know. KEYS: its name. Reply: it, or nil. */
import { makeScript } from './script.ts'

export const takeText = makeScript(`
local text = redis.call('GET', KEYS[1])
if text then redis.call('DEL', KEYS[1]) end
return text
`)
