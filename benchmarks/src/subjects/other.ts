/** Another gateway, started by a command: `--other "CMD --port {port} --upstream {upstream}"`. */
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'

/** Replaces `{port}` and `{upstream}` (an origin without trailing slash). The gateway must proxy /plain. */
export async function startOther(command: string, upstream: string): Promise<Subject> {
  const port = await freePort()
  const filled = command.replaceAll('{port}', String(port)).replaceAll('{upstream}', upstream)
  // A shell interprets quotes and variables; `exec` replaces the shell with the command.
  return startSubject('the other', ['sh', '-c', `exec ${filled}`], `http://127.0.0.1:${port}`, '/plain')
}
