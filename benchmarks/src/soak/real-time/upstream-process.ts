/** The upstream of the soak in real time, as a process that can be killed: `node upstream-process.js PORT`. */
import { startSoakUpstream } from '../soak-upstream.ts'

await startSoakUpstream({ port: Number(process.argv[2]), keepAliveMs: 60_000 })
process.send?.('listens')
process.on('disconnect', () => process.exit(0))
