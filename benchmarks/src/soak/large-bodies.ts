/** Uploads and downloads far larger than the allowed memory growth, with fast and with slow peers. */
import { type Row, rowOf } from '../report/table.ts'
import { growthBudgetMiB, type SoakSize } from './soak-size.ts'
import type { SoakedGateway } from './soaked-gateway.ts'
import { growthDuring } from './watch-memory.ts'
import { exchange } from './wire-client.ts'

/** The four combinations of direction and speed. */
export async function soakLargeBodies(
  gateway: SoakedGateway,
  { bodyBytes }: SoakSize,
  log: (text: string) => void,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const { what, path, sends, slowly } of [
    { what: 'download', path: `/soak/give?bytes=${bodyBytes}`, sends: 0, slowly: false },
    { what: 'download by a slow reader', path: `/soak/give?bytes=${bodyBytes}`, sends: 0, slowly: true },
    { what: 'upload', path: '/soak/take', sends: bodyBytes, slowly: false },
    { what: 'upload to a slow upstream', path: '/soak/take-slowly', sends: bodyBytes, slowly: false },
  ]) {
    log(`${gateway.frontEnd}: ${what} of ${bodyBytes / 2 ** 20} MiB …`)
    const began = performance.now()
    const { result, growthMiB } = await growthDuring(gateway.residentBytes, () =>
      exchange(gateway.port, path, { sends, slowly }),
    )
    gateway.check()
    const arrived = sends === 0 ? result.received : Number(result.tail)
    if (result.status !== 200 || !result.whole || arrived !== bodyBytes) {
      throw new Error(`${what}: status ${result.status}, ${arrived} of ${bodyBytes} bytes arrived`)
    }
    const seconds = (performance.now() - began) / 1000
    const note = `${seconds.toFixed(1)} s, ${Math.round(bodyBytes / 2 ** 20 / seconds)} MiB/s`
    rows.push(rowOf(`${gateway.frontEnd}: ${what}, growth of RSS`, growthMiB, ' MiB', growthBudgetMiB, note))
  }
  return rows
}
