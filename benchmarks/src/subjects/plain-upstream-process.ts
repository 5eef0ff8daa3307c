/** Starts `plain-upstream.ts` as a process. */
import { fileURLToPath } from 'node:url'
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'

export async function startPlainUpstream(): Promise<Subject> {
  const port = await freePort()
  const program = fileURLToPath(new URL('./plain-upstream.js', import.meta.url))
  return startSubject('upstream', [process.execPath, program, String(port)], `http://127.0.0.1:${port}`, '/plain')
}
