/** Starts `node-proxy-process.ts`, the reference for a plain Node proxy. */
import { fileURLToPath } from 'node:url'
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'

export async function startNodeProxy(upstream: string): Promise<Subject> {
  const port = await freePort()
  const program = fileURLToPath(new URL('./node-proxy-process.js', import.meta.url))
  const command = [process.execPath, program, String(port), upstream]
  return startSubject('node:http with undici', command, `http://127.0.0.1:${port}`, '/plain')
}
