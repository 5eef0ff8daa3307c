/** Puts a member at the end of a plain list unless it is in it. KEYS: the list. ARGV: the member. */
import { makeScript } from './script.ts'

export const addToList = makeScript(`
for _, member in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if member == ARGV[1] then return 0 end
end
return redis.call('RPUSH', KEYS[1], ARGV[1])
`)
