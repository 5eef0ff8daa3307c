/**
 * Ids from the system's random source. Random bytes are drawn 4 KiB at a time: a draw costs a call into the kernel's
 * generator, which is most of what a single UUID would cost.
 */
import { randomFillSync } from 'node:crypto'
import type { Ids } from '@turnpike/core'

const idBytes = 16
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const drawn = new Uint8Array(4096)
let next = drawn.length

/** Version 4 UUIDs as 32 hexadecimal digits. */
export const randomIds: Ids = {
  uuid() {
    if (next === drawn.length) {
      randomFillSync(drawn)
      next = 0
    }
    // RFC 9562, 5.4: four bits tell the version, two the variant.
    drawn[next + 6] = ((drawn[next + 6] as number) & 0x0f) | 0x40
    drawn[next + 8] = ((drawn[next + 8] as number) & 0x3f) | 0x80
    let id = ''
    for (const end = next + idBytes; next < end; next++) {
      id += hex[drawn[next] as number]
      // What has been handed out is not kept: ids serve as keys and tokens.
      drawn[next] = 0
    }
    return id
  },
}
