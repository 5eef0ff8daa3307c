// Removes the binaries of uWebSockets.js that this platform and version of Node do not load.
//
//   node keep-own-binaries.mjs FOLDER
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
const own = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
for (const file of readdirSync(folder)) if (file !== own) rmSync(join(folder, file))
