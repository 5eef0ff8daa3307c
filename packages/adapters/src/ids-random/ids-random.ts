/**
 * Random ids from the system's generator. Bytes are read 4 KiB at a time, because the system call is most of the cost of a
 * single UUID.
 */
import { randomFillSync } from 'node:crypto'
import type { Ids } from '@turnpike/core/ports'

const idBytes = 16
const buffer = Buffer.alloc(4096)
let next = buffer.length

/** Version 4 UUIDs as 32 hexadecimal digits. */
export const randomIds: Ids = {
  uuid() {
    if (next === buffer.length) {
      randomFillSync(buffer)
      next = 0
    }
    // RFC 9562 section 5.4: four bits are the version, two the variant.
    buffer[next + 6] = ((buffer[next + 6] as number) & 0x0f) | 0x40
    buffer[next + 8] = ((buffer[next + 8] as number) & 0x3f) | 0x80
    const id = buffer.toString('hex', next, next + idBytes)
    // Used bytes are erased, because ids serve as keys and tokens.
    for (const end = next + idBytes; next < end; next++) buffer[next] = 0
    return id
  },
}
