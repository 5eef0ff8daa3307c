/** Any other gateway, by the command that starts it: `--other "CMD --port {port} --upstream {upstream}"`. */
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'

/** `{port}` and `{upstream}` (an origin, without a slash at its end) are put in; it must pass /plain on. */
export async function startOther(command: string, upstream: string): Promise<Subject> {
  const port = await freePort()
  const filled = command.replaceAll('{port}', String(port)).replaceAll('{upstream}', upstream)
  // Of a shell, so that quotes and variables mean what they mean; it gives its place to the command.
  return startSubject('the other', ['sh', '-c', `exec ${filled}`], `http://127.0.0.1:${port}`, '/plain')
}
