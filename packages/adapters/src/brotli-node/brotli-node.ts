/** Brotli by Node's zlib, off the event loop. */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Brotli } from '@turnpike/core'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** As hard as answers that are made now are worth packing; 11, the default, takes a hundred times as long. */
const quality = 4
/** More than Node takes as a limit of output. */
const longest = 2 ** 31 - 1

export const nodeBrotli: Brotli = {
  unpack: (bytes, limit) => decompress(bytes, { maxOutputLength: Math.max(1, Math.min(limit, longest)) }),
  pack: (bytes) => compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
}
