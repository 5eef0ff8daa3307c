/** Brotli compression with node:zlib, in its thread pool. */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Brotli } from '@turnpike/core/ports'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Suited to dynamic responses. Quality 11, the default, takes about 100 times as long. */
const quality = 4
/** Upper bound of `maxOutputLength`, because Node rejects larger values. */
const maxOutputLength = 2 ** 31 - 1

export const nodeBrotli: Brotli = {
  unpack: (bytes, limit) => decompress(bytes, { maxOutputLength: Math.max(1, Math.min(limit, maxOutputLength)) }),
  pack: (bytes) => compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
}
