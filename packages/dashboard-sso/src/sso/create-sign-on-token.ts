/** `POST /admin/sso`: creates a token for one login; needs the admin secret. Source: docs/reference/dashboard-sso.md#create-a-single-sign-on-token. */
import type { DashboardOptions } from '../dashboard-options.ts'
import { maxBodyBytes, readText } from '../http/read-text.ts'
import { failure, ok } from '../http/reply.ts'
import { findUser } from './people.ts'
import { readSignOn, type SignOn } from './read-sign-on.ts'
import type { SignOnTokens } from './sign-on-tokens.ts'

/** The secret has been checked; `bodyTooLong`: there is a body, too long to be read. */
export async function createSignOnToken(
  request: Request,
  bodyTooLong: boolean,
  { options, signOnTokens }: { readonly options: DashboardOptions; readonly signOnTokens: SignOnTokens },
): Promise<Response> {
  const text = bodyTooLong ? undefined : await readText(request, maxBodyBytes)
  if (text === '') return failure(500, 'Failed to read response body, body empty')
  const read = readSignOn(text, options)
  if ('problems' in read) {
    const messages = read.problems.map((problem) => `Error: ${problem}`).join(' ')
    return failure(400, `Cannot create an SSO session for an invalid payload: [${messages}]`)
  }
  const token = await signOnTokens.make(withVerdict(read.value, options))
  if (token === undefined) return failure(403, 'Failed to save new SSO object to DB')
  return ok('SSO Nonce created', token)
}

/** A user who may not log in gets a token too; the login then shows the reason. */
function withVerdict(signOn: SignOn, options: DashboardOptions): SignOn {
  if (!signOn.onlyRegistered) return signOn
  const isRegistered = findUser(options, signOn.orgId, signOn.emailAddress)?.active === true
  return isRegistered ? signOn : { ...signOn, notAllowed: true }
}
